import type { Role } from "@shared/roles.ts";

export function renewalPath(role: Role, id: string): string {
  const lists = {
    super_admin: "/renewals",
    admin: "/admin/renewals",
    client: "/client/renewals",
  } as const;
  return `${lists[role]}?renewal=${id}`;
}
