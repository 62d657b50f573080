import type { NoticeSeverity, NoticeType } from "@shared/notices.ts";
import type { Role } from "@shared/roles.ts";
import { CircleAlert, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { BadgeTone } from "@/components/ui/badge";

interface SeverityLook {
  readonly icon: LucideIcon;
  readonly tone: BadgeTone;
}

/** The word stands beside it: no severity is told by its colour alone. */
export const SEVERITY_LOOKS: Readonly<Record<NoticeSeverity, SeverityLook>> = {
  info: { icon: Info, tone: "info" },
  warning: { icon: TriangleAlert, tone: "warning" },
  critical: { icon: CircleAlert, tone: "danger" },
};

const ENDS_OF_USERS = ["assignment.expiring", "assignment.expired"] as const;
const ABOUT_THE_ACCOUNT = [
  "security.new_address",
  "security.password_changed",
  "security.password_reset",
] as const;

/** What a role gets notices of: the kinds that its list is filtered by. */
export const TYPES_OF_ROLES: Readonly<Record<Role, readonly NoticeType[]>> = {
  super_admin: [
    ...ENDS_OF_USERS,
    "host.expiring",
    "host.expired",
    "renewal.submitted",
    "sync.failing",
    "sync.paused",
    "removals.held",
    "balance.low",
    ...ABOUT_THE_ACCOUNT,
  ],
  admin: [...ENDS_OF_USERS, ...ABOUT_THE_ACCOUNT],
  client: [
    ...ENDS_OF_USERS,
    "assignment.given",
    "assignment.changed",
    "assignment.ended",
    "renewal.approved",
    "renewal.rejected",
    "renewal.completed",
    ...ABOUT_THE_ACCOUNT,
  ],
};

/** Of a user's assignment: more time for it can be asked for, or given. */
export function isAboutEndOfUser(type: NoticeType): boolean {
  return ENDS_OF_USERS.some((each) => each === type);
}

/** Of a host at the provider: the ends of its items are those of the provider. */
export function isAboutProvider(type: NoticeType): boolean {
  return type === "host.expiring" || type === "host.expired" || type === "removals.held";
}
