import { z } from "zod";
import { Host } from "./hosts.ts";
import { Id } from "./ids.ts";
import { trimText } from "./invisible-text.ts";
import { PageQuery, Pagination, SortOrder, searchText } from "./page.ts";
import { OPEN_RENEWAL_STATUSES, RenewalStatus } from "./renewal-status.ts";
import { labelledEnum, limitedText, wholeNumber } from "./text.ts";
import { UnixSeconds } from "./time.ts";
import { ActorReference, User } from "./users.ts";

/** Days a client may request, and the quick choices of the dialog. */
export const RENEWAL_DAYS = { min: 1, max: 365, default: 30, choices: [30, 90, 180, 365] } as const;

/** What the super admin may decide. */
export const RenewalDecision = z
  .enum(["approved", "rejected", "completed"], "请选择处理结果")
  .meta({
    id: "RenewalDecision",
    description: "处理结果：approved 批准（待付款）、rejected 拒绝、completed 完成",
  });
export type RenewalDecision = z.infer<typeof RenewalDecision>;

/** As acts: “批准”已撤销. */
export const RENEWAL_DECISION_LABELS: Readonly<Record<RenewalDecision, string>> = {
  approved: "批准",
  rejected: "拒绝",
  completed: "完成",
};

/**
 * What can happen to a request. Its client withdraws it; a host that is taken back takes its
 * requests along.
 */
export type RenewalAct = RenewalDecision | "withdrawn" | "takenBack";

interface RenewalTransition {
  readonly from: readonly RenewalStatus[];
  readonly to: RenewalStatus;
}

/**
 * Every way from one state to the next; nothing else is possible. Completing records the payment,
 * of a pending request too. An approved request that is never paid for is rejected.
 */
export const RENEWAL_TRANSITIONS: Readonly<Record<RenewalAct, RenewalTransition>> = {
  approved: { from: ["pending"], to: "approved" },
  rejected: { from: OPEN_RENEWAL_STATUSES, to: "rejected" },
  completed: { from: OPEN_RENEWAL_STATUSES, to: "completed" },
  withdrawn: { from: ["pending"], to: "cancelled" },
  takenBack: { from: OPEN_RENEWAL_STATUSES, to: "cancelled" },
};

/** Requests of one client within `seconds`; what was withdrawn counts too. */
export const RENEWAL_LIMIT = { max: 50, seconds: 86_400 } as const;

const UndoneDecision = z
  .object({
    decision: RenewalDecision.describe("被撤销的处理"),
    restoredStatus: RenewalStatus.describe("撤销后恢复为的状态"),
    at: UnixSeconds.describe("撤销的时间"),
    undoneBy: ActorReference.nullable().describe("撤销的人；对C端用户为 null"),
  })
  .meta({ id: "UndoneDecision", description: "一次被撤销的处理" });
export type UndoneDecision = z.infer<typeof UndoneDecision>;

export const Renewal = z
  .object({
    id: Id,
    host: Host.pick({
      id: true,
      name: true,
      ucloudId: true,
      cpu: true,
      memory: true,
      expireTime: true,
    }).describe("所申请的主机"),
    user: User.pick({ id: true, name: true, username: true, email: true, phone: true }).describe(
      "申请人",
    ),
    requestedDuration: z.int().meta({ description: "申请续费的天数，1-365", examples: [30] }),
    status: RenewalStatus,
    remark: z.string().nullable().describe("备注"),
    adminRemark: z.string().nullable().describe("管理员备注"),
    createdAt: UnixSeconds.describe("创建时间"),
    processedAt: UnixSeconds.nullable().describe("处理时间，未处理时为 null"),
    processedBy: ActorReference.nullable().describe("处理人；对C端用户为 null"),
    undoableUntil: UnixSeconds.nullable().describe(
      "到何时为止（含）可以撤销最后一次处理；不能撤销的、对超级管理员以外的用户为 null",
    ),
    undoneStatus: RenewalStatus.exactOptional().describe(
      "撤销最后一次处理后恢复为的状态；只在详情、处理与撤销的结果中，且可以撤销时才有",
    ),
    undoneDecisions: z
      .array(UndoneDecision)
      .exactOptional()
      .describe("被撤销的处理，最早的在前；只在详情与撤销的结果中，且撤销过时才有"),
    assignedExpireTime: UnixSeconds.describe("该用户当前的分配到期时间，分配已结束时为结束前的值"),
  })
  .meta({ id: "Renewal", description: "续费申请" });
export type Renewal = z.infer<typeof Renewal>;

export const CreateRenewalInput = z
  .strictObject({
    hostId: Id.describe("主机的标识"),
    requestedDuration: wholeNumber("续费天数", { ...RENEWAL_DAYS, unit: "天" }).meta({
      description: "申请续费的天数，1-365",
      examples: [30],
    }),
    remark: limitedText("备注", 500).nullish().describe("备注"),
  })
  .meta({ id: "CreateRenewalInput" });

/**
 * What a list of requests is sorted by. `expireTime` is the client's end, `assignedExpireTime` of
 * the answer.
 */
export const RENEWAL_SORT_LABELS = { createdAt: "提交时间", expireTime: "用户到期时间" } as const;
const SORTED_BY = "排序字段，相同的按提交时间从新到旧排列";
export const RenewalSort = labelledEnum(
  "RenewalSort",
  SORTED_BY,
  RENEWAL_SORT_LABELS,
  "不支持按该字段排序",
);

/** What a list and its export are narrowed to, and in which order. */
const RENEWAL_FILTERS = {
  search: searchText("用户名、主机名称"),
  status: RenewalStatus.optional(),
  userId: Id.optional().describe("只看该用户的申请；仅超级管理员和管理员可用"),
  sort: RenewalSort.default("createdAt"),
  order: SortOrder.default("desc"),
};

export const ListRenewalsInput = z
  .strictObject({ ...PageQuery.shape, ...RENEWAL_FILTERS })
  .prefault({})
  .meta({ id: "ListRenewalsInput" });
export type ListRenewalsInput = z.infer<typeof ListRenewalsInput>;

export const ExportRenewalsInput = z
  .strictObject(RENEWAL_FILTERS)
  .prefault({})
  .meta({ id: "ExportRenewalsInput" });
export type ExportRenewalsInput = z.infer<typeof ExportRenewalsInput>;

export const RenewalList = z
  .object({
    requests: z.array(Renewal).describe("续费申请列表"),
    pagination: Pagination,
    counts: z
      .object({
        pending: z.int().describe("待处理的申请数"),
        approved: z.int().describe("已批准（待付款）的申请数"),
        rejected: z.int().describe("已拒绝的申请数"),
        completed: z.int().describe("已完成的申请数"),
        cancelled: z.int().describe("已取消的申请数"),
      })
      .describe("搜索到的申请在各状态的数量，不受 status 影响"),
  })
  .meta({ id: "RenewalList", description: "一页续费申请" });
export type RenewalList = z.infer<typeof RenewalList>;

export const ProcessRenewalFields = {
  status: RenewalDecision,
  adminRemark: limitedText("管理员备注", 500).nullish().describe("管理员备注；拒绝时必填"),
  expectedStatus: z
    .enum(OPEN_RENEWAL_STATUSES, "处理前的状态只能是 pending 或 approved")
    .optional()
    .describe("仅当申请现在的状态与此相同时才处理，否则返回 409；不填则不检查"),
};

type Decision = { status: RenewalDecision; adminRemark?: string | null | undefined };

/** Clients read why a request was rejected. */
export function withReason<Schema extends z.ZodType<Decision>>(schema: Schema): Schema {
  return schema.refine(
    ({ status, adminRemark }) => status !== "rejected" || trimText(adminRemark ?? "") !== "",
    { error: "拒绝申请时必须填写备注说明", path: ["adminRemark"] },
  );
}

export const ProcessRenewalInput = withReason(
  z.strictObject({ id: Id.describe("标识"), ...ProcessRenewalFields }),
).meta({ id: "ProcessRenewalInput" });
export type ProcessRenewalInput = z.infer<typeof ProcessRenewalInput>;

export const UndoRenewalInput = z
  .strictObject({
    id: Id.describe("标识"),
    expectedStatus: z
      .enum(RenewalDecision.options, "要撤销的处理只能是 approved、rejected 或 completed")
      .optional()
      .describe("仅当最后一次处理与此相同时才撤销，否则返回 409；不填则不检查"),
  })
  .meta({ id: "UndoRenewalInput" });
export type UndoRenewalInput = z.infer<typeof UndoRenewalInput>;
