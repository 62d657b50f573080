import { z } from "zod";
import { Id } from "./ids.ts";
import { PageQuery, Pagination, SearchText, SortOrder } from "./page.ts";
import { limitedText } from "./text.ts";
import { UnixSeconds } from "./time.ts";

export const RenewalStatus = z.enum(["pending", "approved", "rejected", "completed", "cancelled"]);
export type RenewalStatus = z.infer<typeof RenewalStatus>;

export const RENEWAL_STATUS_LABELS: Readonly<Record<RenewalStatus, string>> = {
  pending: "待处理",
  approved: "已批准（待付款）",
  rejected: "已拒绝",
  completed: "已完成",
  cancelled: "已取消",
};

/** Days a client may request, and the quick choices of the dialog. */
export const RENEWAL_DAYS = { min: 1, max: 365, default: 30, choices: [30, 90, 180, 365] } as const;

/** What the super admin may decide. */
export const RenewalDecision = z.enum(["approved", "rejected", "completed"], "请选择处理结果");
export type RenewalDecision = z.infer<typeof RenewalDecision>;

/** From which states a decision may come: completion after approval records the payment. */
export const DECIDABLE_FROM: Readonly<Record<RenewalDecision, readonly RenewalStatus[]>> = {
  approved: ["pending"],
  rejected: ["pending"],
  completed: ["pending", "approved"],
};

/** memory in MB; `requestedDuration` in days. To a client `host.expireTime` is the own assigned expiry and `processedBy` is null. */
export const Renewal = z.object({
  id: Id,
  host: z.object({
    id: Id,
    name: z.string(),
    ucloudId: z.string(),
    cpu: z.int(),
    memory: z.int(),
    expireTime: UnixSeconds.nullable(),
  }),
  user: z.object({
    id: Id,
    name: z.string(),
    username: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
  }),
  requestedDuration: z.int(),
  status: RenewalStatus,
  remark: z.string().nullable(),
  adminRemark: z.string().nullable(),
  createdAt: UnixSeconds,
  processedAt: UnixSeconds.nullable(),
  processedBy: z.object({ id: Id, name: z.string() }).nullable(),
  /** The client's expiry as it stands now, or stood when the assignment ended. */
  assignedExpireTime: UnixSeconds,
});
export type Renewal = z.infer<typeof Renewal>;

/** What has become of a request, and by whom where the reader may know; null while it waits. */
export function outcomeText({ status, processedBy }: Pick<Renewal, "status" | "processedBy">): string | null {
  const by = processedBy === null ? "已" : `已由 ${processedBy.name} `;
  switch (status) {
    case "pending":
      return null;
    case "approved":
      return `该申请${by}批准`;
    case "rejected":
      return `该申请${by}拒绝`;
    case "completed":
      return `该申请${by}完成`;
    case "cancelled":
      return "该申请已取消";
  }
}

export const CreateRenewalInput = z.strictObject({
  hostId: Id,
  requestedDuration: z
    .int("续费天数必须是整数")
    .min(RENEWAL_DAYS.min, `续费天数至少为${RENEWAL_DAYS.min}天`)
    .max(RENEWAL_DAYS.max, `续费天数最多为${RENEWAL_DAYS.max}天`),
  remark: limitedText("备注", 500).nullish(),
});
export type CreateRenewalInput = z.infer<typeof CreateRenewalInput>;

/** What a list of requests is sorted by. `expireTime` is the client's end, `assignedExpireTime` of the answer. */
export const RenewalSort = z.enum(["createdAt", "expireTime"], "不支持按该字段排序");
export type RenewalSort = z.infer<typeof RenewalSort>;

export const RENEWAL_SORT_LABELS: Readonly<Record<RenewalSort, string>> = {
  createdAt: "提交时间",
  expireTime: "用户到期时间",
};

export const ListRenewalsInput = z
  .strictObject({
    ...PageQuery.shape,
    search: SearchText,
    status: RenewalStatus.optional(),
    sort: RenewalSort.default("createdAt"),
    order: SortOrder.default("desc"),
  })
  .prefault({});
export type ListRenewalsInput = z.infer<typeof ListRenewalsInput>;

/** `counts`: how many requests of each status the search finds, whatever `status` asks for. */
export const RenewalList = z.object({
  requests: z.array(Renewal),
  pagination: Pagination,
  counts: z.record(RenewalStatus, z.int()),
});
export type RenewalList = z.infer<typeof RenewalList>;

export const ProcessRenewalInput = z
  .strictObject({
    id: Id,
    status: RenewalDecision,
    adminRemark: limitedText("管理员备注", 500).nullish(),
  })
  .refine(({ status, adminRemark }) => status !== "rejected" || (adminRemark ?? "").trim() !== "", {
    error: "拒绝申请时必须填写备注说明",
    path: ["adminRemark"],
  });
export type ProcessRenewalInput = z.infer<typeof ProcessRenewalInput>;
