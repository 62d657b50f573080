import {
  AUDIT_OUTCOME_LABELS,
  AUDIT_SUBJECT_LABELS,
  auditActionLabel,
  auditGroupLabel,
  type ExportAuditInput,
} from "./audit.ts";
import { type ExportHostsInput, HOST_STATUS_LABELS } from "./hosts.ts";
import { regionName } from "./regions.ts";
import { RENEWAL_STATUS_LABELS } from "./renewal-status.ts";
import type { ExportRenewalsInput } from "./renewals.ts";
import { ROLE_LABELS } from "./roles.ts";
import { localTime } from "./shanghai.ts";
import type { ExportUsersInput } from "./users.ts";

/** The order of a list leaves nothing out. */
type FilterName = Exclude<
  | keyof ExportHostsInput
  | keyof ExportUsersInput
  | keyof ExportRenewalsInput
  | keyof ExportAuditInput,
  "sort" | "order"
>;

/** As the filters are called in the console. */
const FILTER_LABELS: Readonly<Record<FilterName, string>> = {
  search: "搜索",
  status: "状态",
  region: "地域",
  gone: "云端已消失",
  configId: "云账号",
  outsideProjects: "除这些项目外",
  assigned: "已分配",
  expiring: "云端到期",
  expired: "云端已过期",
  autoRenew: "自动续费",
  providerEndsFirst: "云端早于用户到期",
  tag: "标签",
  userId: "用户",
  assignedExpiring: "用户到期",
  assignedExpired: "用户已过期",
  noticeId: "通知",
  role: "角色",
  isActive: "启用",
  adminId: "负责管理员",
  secondFactorEnabled: "两步验证",
  actorId: "操作者",
  action: "操作",
  subjectType: "对象的种类",
  subjectId: "对象",
  outcome: "结果",
  from: "开始时间",
  to: "结束时间",
};

const VALUE_LABELS = new Map<string, Readonly<Record<string, string>>>([
  ["status", { ...HOST_STATUS_LABELS, ...RENEWAL_STATUS_LABELS }],
  ["role", ROLE_LABELS],
  ["subjectType", AUDIT_SUBJECT_LABELS],
  ["outcome", AUDIT_OUTCOME_LABELS],
]);

/**
 * A condition of an export as it is recorded, for people: `status=Running` is `状态：运行中`. One of
 * another version may have a name that has no label here.
 */
export function conditionText(condition: string): string {
  const [name = ""] = condition.split("=", 1);
  const value = condition.slice(name.length + 1);
  return isFilterName(name) ? `${FILTER_LABELS[name]}：${valueText(name, value)}` : condition;
}

function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(FILTER_LABELS, name);
}

function valueText(name: FilterName, value: string): string {
  switch (name) {
    case "from":
    case "to":
      return localTime(Number(value)).replace("T", " ");
    case "expiring":
    case "assignedExpiring":
      return `${value} 天内`;
    case "gone":
    case "assigned":
    case "expired":
    case "autoRenew":
    case "providerEndsFirst":
    case "assignedExpired":
    case "isActive":
    case "secondFactorEnabled":
      return value === "true" ? "是" : "否";
    case "region":
      return regionName(value);
    case "action":
      return value.includes(".") ? auditActionLabel(value) : `${auditGroupLabel(value)}（全部）`;
    default:
      return VALUE_LABELS.get(name)?.[value] ?? value;
  }
}
