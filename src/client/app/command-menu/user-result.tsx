import { ROLE_LABELS } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import type { FoundRow } from "./found-group";

export function userResult({ id, name, username, role, isActive }: User): FoundRow {
  const label = ROLE_LABELS[role];
  return {
    id,
    name,
    details: <span className="ml-1 text-xs text-muted-foreground">{username}</span>,
    trailing: isActive ? label : `${label} · 已停用`,
    href: `/users/${id}`,
  };
}
