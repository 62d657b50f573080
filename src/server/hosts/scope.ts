import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Role } from "../../shared/roles.ts";

/** Whoever looks, at a moment in Unix seconds; both decide what there is to see. */
export interface Viewer {
  readonly id: string;
  readonly role: Role;
  readonly now: number;
}

/** Condition on assignments `a`: those this viewer may know of. A client does not see one that has not begun. */
export function isVisibleAssignment(viewer: Viewer): RawBuilder<SqlBool> {
  switch (viewer.role) {
    case "super_admin":
      return sql`a.ended_at is null`;
    case "admin":
      return sql`a.ended_at is null and a.user_id in (select c.id from users c where c.admin_id = ${viewer.id})`;
    case "client":
      return sql`a.ended_at is null and a.user_id = ${viewer.id} and a.assigned_at <= ${viewer.now}`;
  }
}

/** Condition on hosts `h`: the row scope of the contract. */
export function isVisibleHost(viewer: Viewer): RawBuilder<SqlBool> {
  if (viewer.role === "super_admin") return sql`true`;
  return sql`h.id in (select a.host_id from assignments a where ${isVisibleAssignment(viewer)})`;
}
