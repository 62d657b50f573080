import {
  autoRenewLabel,
  chargeTypeLabel,
  HOST_STATUS_LABELS,
  type Host,
  PREPAID_LABELS,
} from "../../../shared/hosts.ts";
import { regionName } from "../../../shared/regions.ts";
import { isClient, isSuperAdmin, type Role } from "../../../shared/roles.ts";
import { localDateTime } from "../../../shared/shanghai.ts";
import { listCell, timeCell } from "../../platform/csv/cells.ts";
import type { CsvColumn } from "../../platform/csv/csv-file.ts";

const MB_PER_GB = 1_024;

/** A host as the role of the caller sees it in a list, and for super admins where it is from. */
export interface ExportedHost extends Host {
  readonly account: string | null;
  readonly projectId: string | null;
}

type Column = CsvColumn<ExportedHost>;

/** Under the names that the console's list has for them. */
export function exportColumns(role: Role): readonly Column[] {
  if (isClient(role)) return [...DESCRIPTION, ...ASSIGNMENTS];

  const columns = [...DESCRIPTION, ...ASSIGNMENTS, ...FOR_ADMINS];
  return isSuperAdmin(role) ? [...columns, ...FOR_SUPER_ADMINS] : columns;
}

const DESCRIPTION: readonly Column[] = [
  { header: "主机", value: ({ name }) => name },
  { header: "资源 ID", value: ({ ucloudId }) => ucloudId },
  {
    header: "状态",
    value: ({ status, goneAt }) => (goneAt === null ? HOST_STATUS_LABELS[status] : "已消失"),
  },
  { header: "地域", value: ({ region }) => regionName(region) },
  { header: "可用区", value: ({ zoneName }) => zoneName },
  { header: "CPU 核数", value: ({ cpu }) => cpu },
  { header: "内存（GB）", value: ({ memory }) => memory / MB_PER_GB },
  { header: "磁盘（GB）", value: ({ disk }) => disk },
  { header: "操作系统", value: ({ osName }) => osName },
  { header: "IP", value: ({ ipSet }) => listCell(ipSet.map(({ IP }) => IP)) },
  { header: "计费", value: ({ chargeType }) => chargeTypeLabel(chargeType) },
];

/** For each user one value in every cell, in the same order. */
const ASSIGNMENTS: readonly Column[] = [
  {
    header: "分配用户",
    value: ({ users }) => listCell(users.map(({ name, username }) => `${name}（${username}）`)),
  },
  {
    header: "用户开始",
    value: ({ users }) => listCell(users.map(({ assignedAt }) => localDateTime(assignedAt))),
  },
  {
    header: "用户到期",
    value: ({ users }) =>
      listCell(users.map(({ assignedExpireTime }) => localDateTime(assignedExpireTime))),
  },
];

const FOR_ADMINS: readonly Column[] = [
  { header: "自动续费", value: renewalText },
  { header: "云端到期", value: ({ expireTime }) => timeCell(expireTime) },
  { header: "标签", value: ({ tags }) => listCell(tags) },
];

const FOR_SUPER_ADMINS: readonly Column[] = [
  { header: "内部备注", value: ({ note }) => note },
  { header: "云账号", value: ({ account }) => account },
  { header: "项目", value: ({ projectId }) => projectId },
];

/** Nothing for a host that is billed by time. */
function renewalText({ chargeType, autoRenew }: Host): string | null {
  return PREPAID_LABELS.has(chargeType) ? autoRenewLabel(autoRenew) : null;
}
