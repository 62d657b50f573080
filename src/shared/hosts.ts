import { z } from "zod";
import { Id } from "./ids.ts";
import { PageQuery, Pagination, SearchText, SortOrder } from "./page.ts";
import { limitedText, text } from "./text.ts";
import { DAY_SECONDS, UnixSeconds } from "./time.ts";

export const HostStatus = z.enum(["Running", "Stopped", "Starting", "Stopping", "Rebooting", "Unknown"]);
export type HostStatus = z.infer<typeof HostStatus>;

export const HOST_STATUS_LABELS: Readonly<Record<HostStatus, string>> = {
  Running: "运行中",
  Stopped: "已停止",
  Starting: "启动中",
  Stopping: "停止中",
  Rebooting: "重启中",
  Unknown: "未知",
};

/** What is prepaid has an end; every other word the provider uses is billed by time. */
export const PREPAID_LABELS: ReadonlyMap<string, string> = new Map([
  ["Year", "包年"],
  ["Month", "包月"],
]);

export function chargeTypeLabel(chargeType: string): string {
  return PREPAID_LABELS.get(chargeType) ?? "按时";
}

/** `Type` keeps the provider's word: Private, International, Bgp, … Whatever is not Private is public. */
export const HostIp = z.object({ Type: z.string(), IP: z.string() });
export type HostIp = z.infer<typeof HostIp>;

export const HostUser = z.object({
  id: Id,
  name: z.string(),
  username: z.string(),
  assignedAt: UnixSeconds,
  assignedExpireTime: UnixSeconds,
});
export type HostUser = z.infer<typeof HostUser>;

/** cpu in cores, memory in MB, disk in GB (boot + data). Null dates, `providerStatus` and `configId` are what the caller may not see or the provider did not say. */
export const Host = z.object({
  id: Id,
  name: z.string(),
  ucloudId: z.string(),
  cpu: z.int(),
  memory: z.int(),
  disk: z.int(),
  osName: z.string(),
  osType: z.string(),
  region: z.string(),
  zone: z.string(),
  zoneName: z.string(),
  status: HostStatus,
  providerStatus: z.string().nullable(),
  chargeType: z.string(),
  createTime: UnixSeconds.nullable(),
  expireTime: UnixSeconds.nullable(),
  ipSet: z.array(HostIp),
  users: z.array(HostUser),
  configId: Id.nullable(),
  syncedAt: UnixSeconds,
  goneAt: UnixSeconds.nullable(),
});
export type Host = z.infer<typeof Host>;

/** What a list of hosts is sorted by, as the caller sees it. `zone` is the region and the zone in it. */
export const HostSort = z.enum(
  ["name", "status", "zone", "cpu", "memory", "disk", "createTime", "expireTime"],
  "不支持按该字段排序",
);
export type HostSort = z.infer<typeof HostSort>;

export const HOST_SORT_LABELS: Readonly<Record<HostSort, string>> = {
  name: "名称",
  status: "状态",
  zone: "可用区",
  cpu: "CPU 核数",
  memory: "内存",
  disk: "磁盘",
  createTime: "创建时间",
  expireTime: "到期时间",
};

export const MAX_EXPIRING_DAYS = 365;

const Days = z.int("天数必须是整数").min(1, "天数至少为1").max(MAX_EXPIRING_DAYS, `天数最多为${MAX_EXPIRING_DAYS}`);

/**
 * `gone`, `configId`, `assigned`, `expiring` and `expired` are the super admin's. `expiring` and `expired` are about the provider's end,
 * `assignedExpiring` and `assignedExpired` about the end of any assignment that the caller may know of. Days count from now.
 */
export const ListHostsInput = z
  .strictObject({
    ...PageQuery.shape,
    search: SearchText,
    status: HostStatus.optional(),
    region: text().max(50, "地域最多50个字符").optional(),
    gone: z.boolean().optional(),
    configId: Id.optional(),
    assigned: z.boolean().optional(),
    expiring: Days.optional(),
    expired: z.boolean().optional(),
    assignedExpiring: Days.optional(),
    assignedExpired: z.boolean().optional(),
    sort: HostSort.default("name"),
    order: SortOrder.default("asc"),
  })
  .prefault({});
export type ListHostsInput = z.infer<typeof ListHostsInput>;

export const HostList = z.object({ hosts: z.array(Host), pagination: Pagination });
export type HostList = z.infer<typeof HostList>;

export const ASSIGNMENT_DAYS = { min: 1, max: 365 } as const;
export const ASSIGNMENT_DAYS_MESSAGE = `分配天数必须在${ASSIGNMENT_DAYS.min}-${ASSIGNMENT_DAYS.max}天之间`;

/**
 * True when 1…365 days lie between start and expiry (Unix seconds). `slack` in seconds forgives what passed between the
 * caller's clock and ours when the caller left the start to us.
 */
export function isAssignablePeriod(start: number, expiry: number, slack = 0): boolean {
  const length = expiry - start;
  return (
    length > 0 &&
    length >= ASSIGNMENT_DAYS.min * DAY_SECONDS - slack &&
    length <= ASSIGNMENT_DAYS.max * DAY_SECONDS + slack
  );
}

/** Whom a host is given to: an id that people choose from a list. */
export const AssigneeId = z.guid("请选择用户").overwrite((value) => value.toLowerCase());

/**
 * `assignedAt` is now unless given. The period is 1…365 days, or any that ends where the stored one does. An absent `remark` keeps that of
 * an assignment that is only changed; null or "" clears it. With `expectedExpireTime` only the assignment with that end is changed:
 * another end by now, or none, is 409.
 */
export const AssignHostInput = z.strictObject({
  hostId: Id,
  userId: AssigneeId,
  assignedAt: UnixSeconds.optional(),
  assignedExpireTime: UnixSeconds,
  expectedExpireTime: UnixSeconds.optional(),
  remark: limitedText("备注", 500).nullish(),
});
export type AssignHostInput = z.infer<typeof AssignHostInput>;

export const UnassignHostInput = z.strictObject({ hostId: Id, userId: Id });
export type UnassignHostInput = z.infer<typeof UnassignHostInput>;
