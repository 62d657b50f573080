import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Role } from "../../../shared/roles.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller } from "../../platform/trpc/caller.ts";

export interface Viewer {
  readonly id: string;
  readonly role: Role;
  readonly now: number;
}

export function viewerOf(
  { clock }: Pick<Deps, "clock">,
  { id, role }: Pick<Caller, "id" | "role">,
): Viewer {
  return { id, role, now: clock.now() };
}

/** Condition on hosts `h`: the row scope of every read. */
export function isVisibleHost(viewer: Viewer): RawBuilder<SqlBool> {
  if (viewer.role === "super_admin") return sql`true`;
  return sql`h.id in (select a.host_id from assignments a where ${isVisibleAssignment(viewer)})`;
}

/** Condition on assignments `a`. A client does not see one that has not begun. */
export function isVisibleAssignment({ id, role, now }: Viewer): RawBuilder<SqlBool> {
  switch (role) {
    case "super_admin":
      return sql`a.ended_at is null`;
    case "admin":
      return sql`a.ended_at is null and a.user_id in (select c.id from users c where c.admin_id = ${id})`;
    case "client":
      return sql`a.ended_at is null and a.user_id = ${id} and a.assigned_at <= ${now}`;
  }
}
