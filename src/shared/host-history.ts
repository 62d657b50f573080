import { z } from "zod";
import { HostIp } from "./hosts.ts";
import { Id } from "./ids.ts";
import { PageQuery, Pagination, searchText } from "./page.ts";
import { labelledEnum } from "./text.ts";
import { UnixSeconds } from "./time.ts";
import { ActorReference } from "./users.ts";

/** What the provider, or a change of its configuration, does to a host. */
export const HOST_CHANGE_LABELS = {
  created: "新增",
  changed: "变更",
  moved: "换云账号或项目",
  gone: "消失",
  returned: "重新出现",
} as const;
export const HostChangeKind = labelledEnum("HostChangeKind", "主机的变化", HOST_CHANGE_LABELS);
export type HostChangeKind = z.infer<typeof HostChangeKind>;

/** What people do with it: kinds of acts. */
export const HOST_ACT_LABELS = {
  assigned: "分配",
  unassigned: "取消分配",
  assignment_changed: "改有效期",
  renewal_created: "申请续费",
  renewal_approved: "批准续费",
  renewal_rejected: "拒绝续费",
  renewal_completed: "完成续费",
  renewal_cancelled: "取消续费",
  renewal_undone: "撤销续费处理",
} as const;
export type HostActKind = keyof typeof HOST_ACT_LABELS;

export const HOST_HISTORY_LABELS = { ...HOST_CHANGE_LABELS, ...HOST_ACT_LABELS } as const;
export const HostHistoryKind = labelledEnum("HostHistoryKind", "历史的种类", HOST_HISTORY_LABELS);
export type HostHistoryKind = z.infer<typeof HostHistoryKind>;

/** The fields of a host that sync compares, then those that an act of a person names. */
export const HISTORY_FIELD_LABELS = {
  name: "名称",
  region: "地域",
  zone: "可用区",
  cpu: "CPU 核数",
  memory: "内存（MB）",
  disk: "磁盘（GB）",
  osName: "操作系统",
  osType: "系统类型",
  status: "状态",
  providerStatus: "云服务商状态",
  chargeType: "计费方式",
  createTime: "云服务商创建时间",
  expireTime: "云端到期时间",
  autoRenew: "自动续费",
  ipSet: "IP 地址",
  projectId: "项目",
  configId: "云账号",
  user: "C端用户",
  assignedAt: "用户开始",
  assignedExpireTime: "用户到期",
  requestedDuration: "申请天数",
  renewalStatus: "申请状态",
} as const;
export const HistoryField = labelledEnum("HistoryField", "变化的字段", HISTORY_FIELD_LABELS);
export type HistoryField = z.infer<typeof HistoryField>;

export const HistoryValue = z
  .union([z.string(), z.number(), z.boolean(), z.array(HostIp)])
  .nullable()
  .meta({ id: "HistoryValue", description: "字段的值；没有时为 null" });
export type HistoryValue = z.infer<typeof HistoryValue>;

export const HostFieldChange = z
  .object({
    field: HistoryField,
    from: HistoryValue.describe("原来的值"),
    to: HistoryValue.describe("新的值"),
  })
  .meta({ id: "HostFieldChange", description: "一个字段的变化" });
export type HostFieldChange = z.infer<typeof HostFieldChange>;

const FieldChanges = z
  .array(HostFieldChange)
  .describe(
    "逐个字段的变化；对人的操作是涉及的用户、申请的天数、改动的有效期、撤销处理前后的申请状态",
  );

export const HostHistoryEntry = z
  .object({
    id: Id,
    at: UnixSeconds.describe("发生的时间；云服务商的变化是同步发现的时间"),
    kind: HostHistoryKind,
    runId: Id.nullable().describe("发现变化的同步；不是由同步发现的、对C端用户为 null"),
    actor: ActorReference.nullable().describe(
      "操作人，当时的名称；同步发现的变化、升级前没有记录操作人的为 null；C端用户只看到自己",
    ),
    changes: FieldChanges,
    remark: z
      .string()
      .nullable()
      .describe("该次操作的备注；C端用户只看到自己的申请备注与对申请的处理意见"),
  })
  .meta({ id: "HostHistoryEntry", description: "主机历史中的一条" });
export type HostHistoryEntry = z.infer<typeof HostHistoryEntry>;

export const HostHistory = z
  .object({ entries: z.array(HostHistoryEntry).describe("历史"), pagination: Pagination })
  .meta({ id: "HostHistory", description: "一页主机历史，最新的在前" });
export type HostHistory = z.infer<typeof HostHistory>;

export const ListHostHistoryInput = z
  .strictObject({
    id: Id.describe("主机的标识"),
    ...PageQuery.shape,
    kind: HostHistoryKind.optional(),
  })
  .meta({ id: "ListHostHistoryInput" });
export type ListHostHistoryInput = z.infer<typeof ListHostHistoryInput>;

export const SyncRunChange = z
  .object({
    hostId: Id.describe("主机的标识"),
    ucloudId: z.string().meta({ description: "云服务商的主机 ID", examples: ["uhost-abc123"] }),
    name: z.string().meta({ description: "主机现在的名称", examples: ["web-01"] }),
    kind: HostChangeKind,
    changes: FieldChanges,
  })
  .meta({ id: "SyncRunChange", description: "一次同步对一台主机的变化" });
export type SyncRunChange = z.infer<typeof SyncRunChange>;

export const SyncRunChangeList = z
  .object({ changes: z.array(SyncRunChange).describe("变化"), pagination: Pagination })
  .meta({ id: "SyncRunChangeList", description: "一页同步的变化，按种类排列" });
export type SyncRunChangeList = z.infer<typeof SyncRunChangeList>;

const SEARCH = searchText("主机名称、云服务商主机 ID、变化前后的值");

export const ListSyncRunChangesInput = z
  .strictObject({
    id: Id.describe("同步记录的标识"),
    ...PageQuery.shape,
    kind: HostChangeKind.optional(),
    search: SEARCH,
  })
  .meta({ id: "ListSyncRunChangesInput" });
export type ListSyncRunChangesInput = z.infer<typeof ListSyncRunChangesInput>;

export const RecentChange = SyncRunChange.extend({
  id: Id,
  at: UnixSeconds.describe("同步发现变化的时间，或主机被标记为消失的时间"),
  runId: Id.nullable().describe("发现变化的同步；不是由同步发现的为 null"),
}).meta({ id: "RecentChange", description: "一台主机的一次变化" });
export type RecentChange = z.infer<typeof RecentChange>;

export const RecentChangeList = z
  .object({ changes: z.array(RecentChange).describe("变化"), pagination: Pagination })
  .meta({ id: "RecentChangeList", description: "一页变化，最新的在前" });
export type RecentChangeList = z.infer<typeof RecentChangeList>;

export const ListRecentChangesInput = z
  .strictObject({
    ...PageQuery.shape,
    configId: Id.optional().describe("只看该云服务商配置现有的主机，以及这次变化中离开它的主机"),
    from: UnixSeconds.optional().describe("只看不早于此时的变化"),
    to: UnixSeconds.optional().describe("只看不晚于此时的变化"),
    kind: HostChangeKind.optional(),
    search: SEARCH,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    error: "结束时间不能早于开始时间",
    path: ["to"],
  })
  .prefault({})
  .meta({ id: "ListRecentChangesInput" });
export type ListRecentChangesInput = z.infer<typeof ListRecentChangesInput>;
