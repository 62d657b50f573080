import type { Expression, SqlBool } from "kysely";
import { type ListHostsInput, PREPAID_LABELS } from "../../shared/hosts.ts";
import { DAY_SECONDS } from "../../shared/time.ts";
import { containsPattern } from "../database/sql.ts";
import { isVisibleHost, onHosts, type Viewer, visibleAssignments } from "./scope.ts";

export function wantedHosts(viewer: Viewer, input: ListHostsInput): Expression<SqlBool> {
  const { status, region, configId, assigned, expiring, expired, assignedExpiring, assignedExpired } = input;
  const { now } = viewer;
  const search = input.search?.trim() ?? "";
  const conditions = [isVisibleHost(viewer)];
  if (search !== "") conditions.push(matches(search));
  if (status !== undefined) conditions.push(onHosts("h.status", "=", status));
  if (region !== undefined) conditions.push(onHosts("h.region", "=", region));
  // Hosts that are gone at the provider stay in the lists of those who have them assigned.
  if (viewer.role === "super_admin") conditions.push(onHosts("h.goneAt", input.gone ? "is not" : "is", null));
  if (configId !== undefined) conditions.push(onHosts("h.config", "=", configId));
  if (assigned !== undefined) conditions.push(holds(hasAssignment(viewer), assigned));
  if (expiring !== undefined) conditions.push(endsBetween(now, now + expiring * DAY_SECONDS));
  if (expired !== undefined) conditions.push(holds(endsBetween(0, now - 1), expired));
  if (assignedExpiring !== undefined) {
    conditions.push(hasAssignment(viewer, { from: now, to: now + assignedExpiring * DAY_SECONDS }));
  }
  if (assignedExpired !== undefined) {
    conditions.push(holds(hasAssignment(viewer, { from: 0, to: now - 1 }), assignedExpired));
  }
  return onHosts.and(conditions);
}

/** Condition on hosts `h`: the provider's end of hosts billed by time means nothing. */
export function isPrepaid(): Expression<SqlBool> {
  return onHosts("h.chargeType", "in", [...PREPAID_LABELS.keys()]);
}

function endsBetween(from: number, to: number): Expression<SqlBool> {
  const isWithin = onHosts.between("h.expireTime", from, to);
  // A host without an end is not past it: the negation must find it.
  return onHosts.and([isPrepaid(), onHosts("h.expireTime", "is not", null), isWithin]);
}

/** Among the assignments that the viewer may know of, optionally those that end in a period: Unix seconds, both included. */
function hasAssignment(viewer: Viewer, end?: { readonly from: number; readonly to: number }): Expression<SqlBool> {
  const assignments = visibleAssignments(viewer).select("a.id").where("a.host", "=", onHosts.ref("h.id"));
  if (end === undefined) return onHosts.exists(assignments);
  const ending = assignments.where("a.assignedExpireTime", ">=", end.from).where("a.assignedExpireTime", "<=", end.to);
  return onHosts.exists(ending);
}

function holds(condition: Expression<SqlBool>, isWanted: boolean): Expression<SqlBool> {
  return isWanted ? condition : onHosts.not(condition);
}

function matches(search: string): Expression<SqlBool> {
  const pattern = onHosts.fn<string>("lower", [onHosts.val(containsPattern(search))]);
  const anywhere = onHosts("h.searchText", "like", pattern);
  if (!search.includes("\n")) return anywhere;
  // The search text joins both fields by a line break; a match must not reach across it.
  const lower = (field: "h.name" | "h.ucloudId") => onHosts.fn<string>("lower", [field]);
  return onHosts.and([
    anywhere,
    onHosts.or([onHosts(lower("h.name"), "like", pattern), onHosts(lower("h.ucloudId"), "like", pattern)]),
  ]);
}
