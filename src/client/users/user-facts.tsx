import { ROLE_LABELS, type Role } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { PersonName } from "@/components/person-name";
import { Avatar } from "@/components/ui/avatar";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { NOTHING } from "@/lib/format";

/** How one user's facts are drawn, in the table and on the phone's cards. */
export function UserName({ user, isSelf }: { user: User; isSelf: boolean }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={user.name} />
      <PersonName person={user}>{isSelf ? <Badge>我</Badge> : null}</PersonName>
    </div>
  );
}

export function RoleCell({ user }: { user: User }) {
  const keeper = user.admin === null ? "未分配管理员" : `负责人：${user.admin.name}`;
  return (
    // No grid: a table would take its column for no wider than the badge and cut the name.
    <div className="min-w-0">
      <Badge tone={roleTones[user.role]}>{ROLE_LABELS[user.role]}</Badge>
      {user.role === "client" ? (
        <p className="mt-0.5 truncate text-xs text-muted-foreground" title={keeper}>
          {keeper}
        </p>
      ) : null}
    </div>
  );
}

export function ContactCell({ user }: { user: User }) {
  if (user.email === null && user.phone === null) return <span className="text-subtle-foreground">{NOTHING}</span>;
  return (
    <div className="min-w-0 text-sm">
      {user.email === null ? null : (
        <p className="truncate" title={user.email}>
          {user.email}
        </p>
      )}
      {user.phone === null ? null : <p className="text-muted-foreground tabular-nums">{user.phone}</p>}
    </div>
  );
}

export function StatusCell({ user }: { user: User }) {
  return (
    <Badge dot tone={user.isActive ? "success" : "neutral"}>
      {user.isActive ? "启用" : "停用"}
    </Badge>
  );
}

const roleTones: Readonly<Record<Role, BadgeTone>> = { super_admin: "accent", admin: "info", client: "neutral" };
