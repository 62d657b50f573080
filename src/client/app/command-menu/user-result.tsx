import { ROLE_LABELS } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { personSearch } from "@/lib/half-width";
import type { FoundRow } from "./found-group";

/** With the number, where that is what was typed. */
export function userResult(user: User, search: string): FoundRow {
  const { id, name, username, phone, role, isActive } = user;
  const label = ROLE_LABELS[role];
  const facts = [username];
  if (phone?.includes(personSearch(search))) facts.push(phone);

  return {
    id,
    name,
    details: <span className="ml-1 text-xs text-muted-foreground">{facts.join(" · ")}</span>,
    trailing: isActive ? label : `${label} · 已停用`,
    href: `/users/${id}`,
  };
}
