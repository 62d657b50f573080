import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Role } from "../../shared/roles.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import type { Tables } from "../database/kysely.ts";

/** A caller at a moment in Unix seconds; both decide what is visible. */
export interface Viewer {
  readonly id: string;
  readonly role: Role;
  readonly now: number;
}

export function viewerOf({ clock }: Pick<Deps, "clock">, { id, role }: Pick<Caller, "id" | "role">): Viewer {
  return { id, role, now: clock.now() };
}

export const onHosts = expressionBuilder<Tables & { h: Tables["hosts"] }, "h">();
const onAssignments = expressionBuilder<Tables & { a: Tables["assignments"] }, "a">();

/** Condition on hosts `h`: the row scope of every read. */
export function isVisibleHost(viewer: Viewer): Expression<SqlBool> {
  if (viewer.role === "super_admin") return onHosts.and([]);
  return onHosts("h.id", "in", visibleAssignments(viewer).select("a.host"));
}

export function visibleAssignments(viewer: Viewer) {
  return expressionBuilder<Tables, never>().selectFrom("assignments as a").where(isVisibleAssignment(viewer));
}

/** Condition on assignments `a`. A client does not see one that has not begun. */
export function isVisibleAssignment(viewer: Viewer): Expression<SqlBool> {
  const a = onAssignments;
  const isCurrent = a("a.endedAt", "is", null);
  switch (viewer.role) {
    case "super_admin":
      return isCurrent;
    case "admin": {
      const clients = a.selectFrom("users as c").select("c.id").where("c.admin", "=", viewer.id);
      return a.and([isCurrent, a("a.userId", "in", clients)]);
    }
    case "client":
      return a.and([isCurrent, a("a.userId", "=", viewer.id), a("a.assignedAt", "<=", viewer.now)]);
  }
}
