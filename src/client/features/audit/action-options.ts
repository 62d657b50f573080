import { AUDIT_ACTION_LABELS, auditActionLabel } from "@shared/audit.ts";

/** What the calls of a router, jobs and commands have in common. */
const GROUP_LABELS = new Map([
  ["auth", "登录与账号安全"],
  ["users", "用户"],
  ["hosts", "主机"],
  ["assignments", "分配"],
  ["configs", "云服务商配置"],
  ["renewals", "续费申请"],
  ["settings", "系统配置"],
  ["securitySettings", "安全设置"],
  ["reminders", "提醒规则"],
  ["noticeChannels", "通知渠道"],
  ["notices", "通知"],
  ["audit", "审计日志"],
  ["job", "后台任务"],
  ["command", "命令行"],
]);

type Option = { value: string; label: string };

/**
 * The choices of the filter by action: each group as a whole, and below it its actions. One that the
 * address names and nobody knows, such as a call that only reads, is a choice as well.
 */
export function actionOptions(chosen: string | undefined): readonly Option[] {
  const byGroup = Map.groupBy(Object.keys(AUDIT_ACTION_LABELS), groupOf);
  const options = [...byGroup].flatMap(([group, actions]) => [
    { value: group, label: `${groupLabel(group)}：全部` },
    ...actions.map((action) => ({ value: action, label: `　${auditActionLabel(action)}` })),
  ]);

  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen);
  return isKnown ? options : [...options, { value: chosen, label: chosen }];
}

function groupOf(action: string): string {
  return action.split(".", 1).join();
}

function groupLabel(group: string): string {
  return GROUP_LABELS.get(group) ?? group;
}
