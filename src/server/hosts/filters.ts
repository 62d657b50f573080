import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type ListHostsInput, PREPAID_LABELS } from "../../shared/hosts.ts";
import { DAY_SECONDS } from "../../shared/time.ts";
import { containsPattern } from "../database/sql.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer } from "./scope.ts";

type Condition = RawBuilder<SqlBool>;

type HostFilters = Omit<ListHostsInput, "page" | "limit" | "sort" | "order">;

/** Condition on hosts `h`: in the viewer's scope, and all that the list asks for. */
export function wantedHosts(viewer: Viewer, input: HostFilters): Condition {
  const { status, region, configId, assigned, expiring, expired, assignedExpiring, assignedExpired } = input;
  const { now } = viewer;
  const search = input.search?.trim();
  const conditions: Condition[] = [isVisibleHost(viewer)];
  if (search) conditions.push(matches(search));
  if (status !== undefined) conditions.push(sql`h.status = ${status}`);
  if (region !== undefined) conditions.push(sql`h.region = ${region}`);
  // Hosts that are gone at the provider stay in the lists of those who have them assigned.
  if (viewer.role === "super_admin") conditions.push(input.gone ? sql`h.gone_at is not null` : sql`h.gone_at is null`);
  if (configId !== undefined) conditions.push(sql`h.config_id = ${configId}`);
  if (assigned !== undefined) conditions.push(sql`${hasAssignment(viewer)} = ${assigned}`);
  if (expiring !== undefined) conditions.push(endsBetween(now, now + expiring * DAY_SECONDS));
  if (expired !== undefined) conditions.push(sql`${endsBetween(0, now - 1)} = ${expired}`);
  if (assignedExpiring !== undefined) {
    conditions.push(hasAssignment(viewer, endsWithin(now, now + assignedExpiring * DAY_SECONDS)));
  }
  if (assignedExpired !== undefined) {
    conditions.push(sql`${hasAssignment(viewer, endsWithin(0, now - 1))} = ${assignedExpired}`);
  }
  return sql.join(conditions, sql` and `);
}

/** The provider's end of hosts `h`, null for those billed by time, whose end means nothing. Unix seconds. */
export const PROVIDER_END = sql<number | null>`case when h.charge_type in (${sql.join(
  [...PREPAID_LABELS.keys()].map((label) => sql.lit(label)),
)}) then h.expire_time end`;

/** A host without an end is not past it: false, not null, so that the negation finds it. Unix seconds, both included. */
function endsBetween(from: number, to: number): Condition {
  return sql`coalesce(${PROVIDER_END} between ${from} and ${to}, false)`;
}

function endsWithin(from: number, to: number): Condition {
  return sql`a.assigned_expire_time between ${from} and ${to}`;
}

function hasAssignment(viewer: Viewer, condition: Condition = sql`true`): Condition {
  return sql`exists (select from assignments a where a.host_id = h.id and ${isVisibleAssignment(viewer)} and ${condition})`;
}

function matches(search: string): Condition {
  const pattern = sql`lower(${containsPattern(search)})`;
  const anywhere = sql<SqlBool>`h.search_text like ${pattern}`;
  if (!search.includes("\n")) return anywhere;
  // The search text joins name and id by a line break; a match must not reach across it.
  return sql`${anywhere} and (lower(h.name) like ${pattern} or lower(h.ucloud_id) like ${pattern})`;
}
