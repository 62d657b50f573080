import { z } from "zod";
import { TagFilter } from "./annotations.ts";
import { Id } from "./ids.ts";
import { PageQuery, Pagination, SortOrder, searchText } from "./page.ts";
import { RenewalStatus } from "./renewal-status.ts";
import { labelledEnum, limitedCode, limitedText, wholeNumber } from "./text.ts";
import { UnixSeconds } from "./time.ts";
import { UserReference } from "./users.ts";

export const HOST_STATUS_LABELS = {
  Running: "运行中",
  Stopped: "已停止",
  Starting: "启动中",
  Stopping: "停止中",
  Rebooting: "重启中",
  Unknown: "未知",
} as const;
export const HostStatus = labelledEnum("HostStatus", "主机状态", HOST_STATUS_LABELS);
export type HostStatus = z.infer<typeof HostStatus>;

/**
 * A host in one of these is on its way to another, which nobody would see without asking again.
 */
export const UNSETTLED_STATUSES: readonly HostStatus[] = ["Starting", "Stopping", "Rebooting"];

/** What is prepaid has an end; every other word the provider uses is billed by time. */
export const PREPAID_LABELS: ReadonlyMap<string, string> = new Map([
  ["Year", "包年"],
  ["Month", "包月"],
]);

export function chargeTypeLabel(chargeType: string): string {
  return PREPAID_LABELS.get(chargeType) ?? "按时";
}

interface ProviderTerms {
  readonly chargeType: string;
  /** Unix seconds, as the provider gives it. */
  readonly expireTime: number | null;
}

/**
 * When the provider's period of a prepaid host ends. For every other host the provider gives the
 * end of the hour that is under way, which means nothing: null.
 */
export function providerEnd({ chargeType, expireTime }: ProviderTerms): number | null {
  return PREPAID_LABELS.has(chargeType) ? expireTime : null;
}

/** Whether the provider renews a prepaid host by itself; for every other host it means nothing. */
export function providerRenewal({
  chargeType,
  autoRenew,
}: {
  readonly chargeType: string;
  readonly autoRenew: boolean | null;
}): boolean | null {
  return PREPAID_LABELS.has(chargeType) ? autoRenew : null;
}

/** Of a prepaid host. */
export function autoRenewLabel(autoRenew: boolean | null): string {
  if (autoRenew === null) return "未知";
  return autoRenew ? "已开启" : "未开启";
}

export const HostIp = z
  .object({
    Type: z.string().meta({
      description: "云服务商的 IP 类型；Private 为内网，其余为公网",
      examples: ["Private"],
    }),
    IP: z.string().meta({ description: "IP 地址", examples: ["10.9.0.11"] }),
  })
  .meta({ id: "HostIp", description: "主机的一个 IP 地址" });
export type HostIp = z.infer<typeof HostIp>;

export const HostUser = UserReference.extend({
  assignedAt: UnixSeconds.describe("分配开始时间"),
  assignedExpireTime: UnixSeconds.describe("分配到期时间"),
}).meta({ id: "HostUser", description: "使用该主机的C端用户及其分配的起止时间" });
export type HostUser = z.infer<typeof HostUser>;

export const OpenRenewal = z
  .object({
    id: Id,
    status: RenewalStatus,
    requestedDuration: z.int().meta({ description: "申请续费的天数，1-365", examples: [30] }),
    createdAt: UnixSeconds.describe("创建时间"),
  })
  .meta({ id: "OpenRenewal", description: "主机未完成（待处理或已批准）的续费申请" });
export type OpenRenewal = z.infer<typeof OpenRenewal>;

/**
 * Null dates, `providerStatus` and `configId` are what the caller may not see or the provider did
 * not say.
 */
export const Host = z
  .object({
    id: Id,
    name: z.string().meta({ description: "名称", examples: ["web-01"] }),
    ucloudId: z.string().meta({ description: "云服务商的主机 ID", examples: ["uhost-abc123"] }),
    cpu: z.int().meta({ description: "CPU 核数", examples: [4] }),
    memory: z.int().meta({ description: "内存（MB）", examples: [8192] }),
    disk: z.int().meta({ description: "磁盘（GB），系统盘与数据盘之和", examples: [120] }),
    osName: z.string().meta({ description: "操作系统名称", examples: ["Ubuntu 24.04 64位"] }),
    osType: z.string().meta({ description: "操作系统类型", examples: ["Linux"] }),
    region: z.string().meta({ description: "地域，例如 cn-bj2", examples: ["cn-bj2"] }),
    zone: z.string().meta({ description: "可用区，例如 cn-bj2-05", examples: ["cn-bj2-05"] }),
    zoneName: z.string().meta({ description: "可用区名称", examples: ["华北（北京2）可用区E"] }),
    status: HostStatus,
    statusSince: UnixSeconds.nullable().describe(
      "最早何时看到现在的状态；不知道时为 null，早于分配开始的对C端用户为 null",
    ),
    providerStatus: z
      .string()
      .nullable()
      .describe("云服务商的原始状态，例如 Running；对C端用户为 null"),
    chargeType: z
      .string()
      .meta({ description: "计费方式：Year 包年、Month 包月，其余按时", examples: ["Month"] }),
    createTime: UnixSeconds.nullable().describe("创建时间；对C端用户是分配开始时间"),
    expireTime: UnixSeconds.nullable().describe(
      "到期时间，按时计费的主机为 null；对C端用户是分配到期时间",
    ),
    autoRenew: z
      .boolean()
      .nullable()
      .describe("云服务商是否自动续费；云服务商未说明、按时计费时，以及对C端用户为 null"),
    ipSet: z
      .array(HostIp)
      .describe("IP 地址，内网在前，公网按权重；C端用户仅在系统允许且分配有效时可见"),
    users: z
      .array(HostUser)
      .describe("使用该主机的C端用户；C端用户只看到自己，管理员只看到自己负责的"),
    openRenewal: OpenRenewal.nullable().describe(
      "看得到的未完成续费申请中最新的一个，没有时为 null；C端用户只看到自己的，管理员只看到自己负责的用户的",
    ),
    configId: Id.nullable().describe("所属云账号的配置的标识；配置已删除时、对C端用户为 null"),
    syncedAt: UnixSeconds.describe(
      "数据来自何时：最近一次完整读取其地域，或单独同步时发现变化的时间",
    ),
    isStale: z
      .boolean()
      .describe(
        "数据可能已过时：syncedAt 早于三个同步间隔前，或早于一个间隔加 6 小时前（以先到者为准）；未开启自动同步或配置已停用时为 24 小时；已消失的主机为 false",
      ),
    goneAt: UnixSeconds.nullable().describe("在云服务商处消失的时间，仍存在时为 null"),
    tags: z
      .array(z.string())
      .meta({ description: "标签；对C端用户为空", examples: [["生产", "客户 A"]] }),
    note: z
      .string()
      .nullable()
      .describe("内部备注，没有时为 null；只有超级管理员看到，对其他人为 null"),
  })
  .meta({
    id: "Host",
    description:
      "主机。字段内容取决于调用者的角色：C端用户看到的起止时间是自己的分配时间，看不到云服务商的到期时间、自动续费、配置和标签",
  });
export type Host = z.infer<typeof Host>;

/**
 * What a list of hosts is sorted by, as the caller sees it. `zone` is the region and the zone in
 * it.
 */
export const HOST_SORT_LABELS = {
  name: "名称",
  status: "状态",
  zone: "可用区",
  cpu: "CPU 核数",
  memory: "内存",
  disk: "磁盘",
  createTime: "创建时间",
  expireTime: "到期时间",
  assignedExpireTime: "用户到期",
} as const;
const SORTED_BY = "排序字段，相同的按名称排列，用户到期按最早的分配";
export const HostSort = labelledEnum("HostSort", SORTED_BY, HOST_SORT_LABELS, "不支持按该字段排序");
export type HostSort = z.infer<typeof HostSort>;

export const MAX_EXPIRING_DAYS = 365;

const Days = wholeNumber("天数", { min: 1, max: MAX_EXPIRING_DAYS });

/** What a list of hosts is narrowed and sorted by. */
const HostFilters = {
  search: searchText("主机名称、云服务商主机 ID、看得到的 IP 地址"),
  status: HostStatus.optional(),
  region: limitedCode("地域", 50).optional().describe("地域，例如 cn-bj2"),
  gone: z.boolean().optional().describe("true 只看云服务商处已不存在的主机，仅超级管理员可用"),
  configId: Id.optional().describe("只看该云服务商配置的主机，仅超级管理员可用"),
  outsideProjects: limitedCode("项目 ID", 2_100)
    .optional()
    .describe("逗号分隔的项目 ID：只看其他项目的主机，不含默认项目；仅超级管理员可用"),
  assigned: z
    .boolean()
    .optional()
    .describe("只看已分配（true）或未分配（false）的主机，仅超级管理员可用"),
  expiring: Days.optional().describe(
    "只看云服务商处若干天内到期的主机（例如 7），只计包年包月；仅超级管理员和管理员可用",
  ),
  expired: z
    .boolean()
    .optional()
    .describe("只看云服务商处已到期（true）或未到期（false）的主机，仅超级管理员和管理员可用"),
  autoRenew: z
    .boolean()
    .optional()
    .describe(
      "true 只看云服务商自动续费的包年包月主机，false 只看其余包年包月主机，包括云服务商未说明的；仅超级管理员和管理员可用",
    ),
  providerEndsFirst: z
    .boolean()
    .optional()
    .describe(
      "true 只看有分配晚于云服务商到期、不自动续费的包年包月主机，false 只看其余主机，只针对看得到的分配；仅超级管理员和管理员可用",
    ),
  tag: TagFilter,
  userId: Id.optional().describe(
    "只看分配给该用户的主机，包括云服务商处已不存在的；仅超级管理员和管理员可用",
  ),
  assignedExpiring: Days.optional().describe(
    "只看有分配在若干天内到期的主机（例如 7），只针对看得到的分配",
  ),
  assignedExpired: z
    .boolean()
    .optional()
    .describe("只看有分配已到期（true）或没有分配已到期（false）的主机，只针对看得到的分配"),
  noticeId: Id.optional().describe(
    "只看自己的这条通知涉及的主机，包括云服务商处已不存在的；别人的或已删除的通知没有主机",
  ),
  sort: HostSort.default("name"),
  order: SortOrder.default("asc"),
};

export const ListHostsInput = z
  .strictObject({ ...PageQuery.shape, ...HostFilters })
  .prefault({})
  .meta({ id: "ListHostsInput" });
export type ListHostsInput = z.infer<typeof ListHostsInput>;

export const ExportHostsInput = z
  .strictObject(HostFilters)
  .prefault({})
  .meta({ id: "ExportHostsInput" });
export type ExportHostsInput = z.infer<typeof ExportHostsInput>;

export const HostList = z
  .object({ hosts: z.array(Host).describe("主机列表"), pagination: Pagination })
  .meta({ id: "HostList", description: "一页主机" });
export type HostList = z.infer<typeof HostList>;

export const ASSIGNMENT_DAYS = { min: 1, max: 365 } as const;
export const ASSIGNMENT_DAYS_MESSAGE = `分配天数必须在${ASSIGNMENT_DAYS.min}-${ASSIGNMENT_DAYS.max}天之间`;

/** Whom a host is given to: an id that people choose from a list. */
export const AssigneeId = z
  .guid("请选择用户")
  .overwrite((value) => value.toLowerCase())
  .meta({ description: "C端用户的标识", examples: ["019a9f00-0000-7000-8000-000000000003"] });

/** An assignment ends at a moment, or some days after its given start, else after now. */
export const AssignedPeriod = {
  assignedAt: UnixSeconds.optional().describe(
    "分配开始时间；不填则修改分配时保持原来的开始时间，新的分配从现在开始",
  ),
  assignedExpireTime: UnixSeconds.optional().meta({
    description:
      "分配到期时间，至少在开始时间 1 天之后，最晚在开始时间与现在两者中较晚的一个 365 天之后；与已保存的到期时间相同时不检查；与 days 二选一",
    examples: [1_769_817_600],
  }),
  days: z
    .int("分配天数必须是整数")
    .min(ASSIGNMENT_DAYS.min, ASSIGNMENT_DAYS_MESSAGE)
    .max(ASSIGNMENT_DAYS.max, ASSIGNMENT_DAYS_MESSAGE)
    .optional()
    .meta({
      description:
        "分配天数，1-365，由服务器从填写的开始时间起计算，未填写则从现在起；与 assignedExpireTime 二选一",
      examples: [30],
    }),
};

export function hasOneEnd(period: {
  assignedExpireTime?: number | undefined;
  days?: number | undefined;
}): boolean {
  return (period.assignedExpireTime === undefined) !== (period.days === undefined);
}
export const ONE_END = {
  error: "分配到期时间与分配天数必须且只能填写一个",
  path: ["assignedExpireTime"],
};

export const AssignHostInput = z
  .strictObject({
    hostId: Id.describe("主机的标识"),
    userId: AssigneeId,
    ...AssignedPeriod,
    expectedExpireTime: UnixSeconds.optional().describe(
      "仅当该用户现在的分配到期时间与此相同时才修改，否则返回 409；不填则不检查",
    ),
    remark: limitedText("备注", 500)
      .nullish()
      .describe("备注；修改分配时不填保持不变，null 与空字符串清除"),
  })
  .refine(hasOneEnd, ONE_END)
  .meta({
    id: "AssignHostInput",
    examples: [
      {
        hostId: "019a9f00-0000-7000-8000-000000000002",
        userId: "019a9f00-0000-7000-8000-000000000003",
        days: 30,
        remark: "合同 2026-17",
      },
    ],
  });
export type AssignHostInput = z.infer<typeof AssignHostInput>;

export const UnassignHostInput = z
  .strictObject({ hostId: Id.describe("主机的标识"), userId: Id.describe("C端用户的标识") })
  .meta({ id: "UnassignHostInput" });
