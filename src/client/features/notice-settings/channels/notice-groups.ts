import { NoticeType } from "@shared/notices.ts";

/** In which group of a channel's types each notice stands. */
const GROUP_OF_TYPE = {
  "assignment.expiring": "到期",
  "assignment.expired": "到期",
  "host.expiring": "到期",
  "host.expired": "到期",
  "assignment.given": "分配",
  "assignment.changed": "分配",
  "assignment.ended": "分配",
  "renewal.submitted": "续费",
  "renewal.approved": "续费",
  "renewal.rejected": "续费",
  "renewal.completed": "续费",
  "sync.failing": "同步与账号",
  "sync.paused": "同步与账号",
  "removals.held": "同步与账号",
  "balance.low": "同步与账号",
  "security.new_address": "安全",
  "security.password_changed": "安全",
  "security.password_reset": "安全",
} as const satisfies Record<NoticeType, string>;
type GroupName = (typeof GROUP_OF_TYPE)[NoticeType];

export interface NoticeGroup {
  readonly name: GroupName;
  readonly types: readonly NoticeType[];
}

export const NOTICE_GROUPS: readonly NoticeGroup[] = [
  ...Map.groupBy(NoticeType.options, (type) => GROUP_OF_TYPE[type]),
].map(([name, types]) => ({ name, types }));

/** What a group of people should hear of; the rest is for the one whom it concerns. */
const GROUPS_FOR_ROBOTS: readonly GroupName[] = ["到期", "续费", "同步与账号"];
export const TYPES_FOR_ROBOTS = NoticeType.options.filter((type) =>
  GROUPS_FOR_ROBOTS.includes(GROUP_OF_TYPE[type]),
);

/** `全部通知`, or the groups with how many of their types: `到期、续费（2/4）`. */
export function typesText(types: readonly NoticeType[]): string {
  if (types.length === 0) return "没有选择通知，不会发送";
  if (types.length === NoticeType.options.length) return "全部通知";

  const names = NOTICE_GROUPS.map((group) => groupText(group, types));
  return names.filter((name) => name !== null).join("、");
}

function groupText({ name, types: all }: NoticeGroup, types: readonly NoticeType[]): string | null {
  const count = all.filter((type) => types.includes(type)).length;
  if (count === 0) return null;
  return count === all.length ? name : `${name}（${count}/${all.length}）`;
}
