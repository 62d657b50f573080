import {
  type AliasableExpression,
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type SqlBool,
} from "kysely";
import { PREPAID_LABELS } from "../../../shared/hosts.ts";
import type { Role } from "../../../shared/roles.ts";
import { literals } from "../../platform/database/expressions.ts";
import type { Tables } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { isClientOf } from "../users/access.ts";
import type { HostsDeps } from "./deps.ts";

export interface Viewer {
  readonly id: string;
  readonly role: Role;
  readonly now: number;
}

/** Builds expressions for a query that has the hosts as `h`. */
export type HostExpressions = ExpressionBuilder<Tables & { h: Tables["hosts"] }, "h">;
/** Builds expressions for a query that has the assignments as `a`. */
export type AssignmentExpressions = ExpressionBuilder<Tables & { a: Tables["assignments"] }, "a">;

export function viewerOf(
  { clock }: Pick<HostsDeps, "clock">,
  { id, role }: Pick<Caller, "id" | "role">,
): Viewer {
  return { id, role, now: clock.now() };
}

/**
 * The row scope of every read of hosts: a super admin sees all, others those assigned in their
 * scope.
 */
export function isVisibleHost(eb: HostExpressions, viewer: Viewer): Expression<SqlBool> {
  if (viewer.role === "super_admin") return eb.lit(true);

  const hostIds = eb
    .selectFrom("assignments as a")
    .select("a.host")
    .where((inner) => isVisibleAssignment(inner, viewer));
  return eb("h.id", "in", hostIds);
}

/** The row scope of current assignments. */
export function isVisibleAssignment(
  eb: AssignmentExpressions,
  viewer: Viewer,
): Expression<SqlBool> {
  return eb.and([isCurrentAssignment(eb, viewer), isAssignedInScope(eb, viewer)]);
}

/** The assignment lasts, as far as the viewer may know. Does not ask whose it is. */
export function isCurrentAssignment(
  eb: AssignmentExpressions,
  { role, now }: Pick<Viewer, "role" | "now">,
): Expression<SqlBool> {
  const lasts = eb("a.endedAt", "is", null);
  return role === "client" ? eb.and([lasts, hasBegun(eb, now)]) : lasts;
}

/** A client does not see an assignment that has not begun. `at` in Unix seconds. */
export function hasBegun(
  eb: AssignmentExpressions,
  at: number | Expression<number>,
): AliasableExpression<SqlBool> {
  return eb("a.assignedAt", "<=", at);
}

/**
 * Whether the client had the host then. An assignment may be entered with a start that lies in the
 * past, when somebody else had the host, so it counts from the later of its start and its creation.
 * `at` in Unix seconds.
 */
export function lastedAt(
  eb: AssignmentExpressions,
  at: number | Expression<number | null>,
): Expression<SqlBool> {
  const since = eb.fn<number>("greatest", ["a.assignedAt", "a.createdAt"]);
  return eb.and([
    eb(since, "<=", at),
    eb.or([eb("a.endedAt", "is", null), eb("a.endedAt", ">=", at)]),
  ]);
}

function isAssignedInScope(
  eb: AssignmentExpressions,
  { id, role }: Pick<Viewer, "id" | "role">,
): Expression<SqlBool> {
  switch (role) {
    case "super_admin":
      return eb.lit(true);
    case "admin": {
      const clientIds = eb
        .selectFrom("users as u")
        .select("u.id")
        .where((user) => isClientOf(user, id));
      return eb("a.userId", "in", clientIds);
    }
    case "client":
      return eb("a.userId", "=", id);
  }
}

/**
 * `providerEnd` of the shared rules, in Unix seconds. Sync stores no other end, but a replica of an
 * earlier version does while replicas are replaced one by one, and until the next sync.
 */
export function providerEnd(eb: HostExpressions): AliasableExpression<number | null> {
  return eb.case().when(isPrepaid(eb)).then(eb.ref("h.expireTime")).end();
}

export function isPrepaid(eb: HostExpressions): Expression<SqlBool> {
  return eb("h.chargeType", "in", literals([...PREPAID_LABELS.keys()]));
}

type AssignmentCondition = (eb: AssignmentExpressions) => Expression<SqlBool>;

/**
 * Whether the viewer knows of an assignment of the host, of any or of one as the condition says.
 */
export function hasAssignment(
  eb: HostExpressions,
  viewer: Viewer,
  condition: AssignmentCondition = (assignment) => assignment.lit(true),
): AliasableExpression<SqlBool> {
  const assignments = eb
    .selectFrom("assignments as a")
    .select("a.id")
    .whereRef("a.host", "=", "h.id")
    .where((assignment) => isVisibleAssignment(assignment, viewer))
    .where(condition);
  return eb.exists(assignments);
}

/**
 * Whether the viewer sees the addresses of a host in its row scope, and so may search them: a
 * client only while the setting allows it and its assignment has not expired.
 */
export function showsAddresses(eb: HostExpressions, viewer: Viewer): AliasableExpression<SqlBool> {
  if (viewer.role !== "client") return eb.lit(true);

  const hasUnexpired = hasAssignment(eb, viewer, (assignment) =>
    assignment("a.assignedExpireTime", ">=", viewer.now),
  );
  return eb.and([showsNetworkToClients(), hasUnexpired]);
}

/**
 * Whether the viewer may know since when a host in its row scope has its status: a client not of
 * the time before it had the host.
 */
export function knowsStatusSince(
  eb: HostExpressions,
  viewer: Viewer,
): AliasableExpression<SqlBool> {
  if (viewer.role !== "client") return eb.lit(true);

  return hasAssignment(eb, viewer, (assignment) => lastedAt(assignment, eb.ref("h.statusSince")));
}

/** The setting. */
function showsNetworkToClients() {
  return expressionBuilder<Tables>()
    .selectFrom("settings as s")
    .select("s.showNetworkInfoToClient")
    .where("s.id", "=", 1)
    .$asScalar();
}
