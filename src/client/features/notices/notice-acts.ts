import type { Notice } from "@shared/notices.ts";
import { isClient, isSuperAdmin, type Role } from "@shared/roles.ts";
import { isAboutEndOfUser } from "./notice-looks";

export const NOTICE_ACT_LABELS = {
  renew: "申请续费",
  extend: "延长",
  remind: "提醒客户",
} as const;
export type NoticeAct = keyof typeof NOTICE_ACT_LABELS;

/** What the reader can do at once about the hosts of a notice. */
export function actsOf(role: Role, { type, items }: Notice): readonly NoticeAct[] {
  if (!isAboutEndOfUser(type) || items.length === 0) return [];
  if (isClient(role)) return ["renew"];
  return isSuperAdmin(role) ? ["extend", "remind"] : [];
}
