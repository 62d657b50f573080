import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type ListHostsInput, PREPAID_LABELS } from "../../../shared/hosts.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { containsPattern } from "../../platform/database/sql.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer } from "./access.ts";

type Condition = RawBuilder<SqlBool>;

type HostFilters = Omit<ListHostsInput, "page" | "limit" | "sort" | "order">;

export function hostFilter(viewer: Viewer, input: HostFilters): Condition {
  const { status, region, configId, outsideProjects, assigned, userId } = input;
  const { expiring, expired, assignedExpiring, assignedExpired, providerEndsFirst } = input;
  const { now } = viewer;
  const search = input.search?.trim();
  const conditions: Condition[] = [isVisibleHost(viewer)];
  if (search) conditions.push(matches(viewer, search));
  if (status !== undefined) conditions.push(sql`h.status = ${status}`);
  if (region !== undefined) conditions.push(sql`h.region = ${region}`);
  // Hosts that are gone at the provider stay in the lists of those who have them assigned.
  if (viewer.role === "super_admin" && (userId === undefined || input.gone !== undefined)) {
    conditions.push(input.gone ? sql`h.gone_at is not null` : sql`h.gone_at is null`);
  }
  if (configId !== undefined) conditions.push(sql`h.config_id = ${configId}`);
  if (outsideProjects !== undefined) conditions.push(isOutsideProjects(outsideProjects.split(",")));
  if (userId !== undefined) conditions.push(hasAssignment(viewer, sql`a.user_id = ${userId}`));
  if (assigned !== undefined) conditions.push(isOrIsNot(assigned, hasAssignment(viewer)));
  if (expiring !== undefined) conditions.push(providerEndsIn(now, now + expiring * DAY_SECONDS));
  if (expired !== undefined) conditions.push(sql`${providerEndsIn(0, now - 1)} = ${expired}`);
  if (assignedExpiring !== undefined) {
    conditions.push(
      hasAssignment(viewer, assignmentEndsIn(now, now + assignedExpiring * DAY_SECONDS)),
    );
  }
  if (assignedExpired !== undefined) {
    conditions.push(
      isOrIsNot(assignedExpired, hasAssignment(viewer, assignmentEndsIn(0, now - 1))),
    );
  }
  if (providerEndsFirst !== undefined) {
    const endsLater = hasAssignment(viewer, sql`a.assigned_expire_time > ${PROVIDER_END}`);
    conditions.push(isOrIsNot(providerEndsFirst, endsLater));
  }
  return sql.join(conditions, sql` and `);
}

export function isOutsideProjects(projectIds: readonly string[]): Condition {
  return sql`project_id <> '' and project_id <> all(${[...projectIds]}::text[])`;
}

/** The provider's end of hosts `h`, null for those billed by time, whose end means nothing. Unix seconds. */
export const PROVIDER_END = sql<number | null>`case when h.charge_type in (${sql.join(
  [...PREPAID_LABELS.keys()].map((label) => sql.lit(label)),
)}) then h.expire_time end`;

/** A host without an end is not past it: false, not null, so that the negation finds it. Unix seconds, both included. */
function providerEndsIn(from: number, to: number): Condition {
  return sql`coalesce(${PROVIDER_END} between ${from} and ${to}, false)`;
}

function assignmentEndsIn(from: number, to: number): Condition {
  return sql`a.assigned_expire_time between ${from} and ${to}`;
}

function hasAssignment(viewer: Viewer, condition: Condition = sql`true`): Condition {
  return sql`exists (select from assignments a where a.host_id = h.id and ${isVisibleAssignment(viewer)} and ${condition})`;
}

/** Not a comparison with the flag: PostgreSQL joins what "exists" names, and asks a comparison host by host. */
function isOrIsNot(flag: boolean, condition: Condition): Condition {
  return flag ? condition : sql`not ${condition}`;
}

const ADDRESS = /^[\da-f.:]+$/i;

function matches(viewer: Viewer, search: string): Condition {
  const pattern = sql`lower(${containsPattern(search)})`;
  const inText = sql<SqlBool>`h.search_text like ${pattern}`;
  return ADDRESS.test(search)
    ? sql`(${inText} or (${hasAddress(pattern)} and ${showsAddresses(viewer)}))`
    : inText;
}

function hasAddress(pattern: RawBuilder<unknown>): Condition {
  return sql`lower(jsonb_path_query_array(h.ip_set, '$[*].IP') #>> '{}') like ${pattern}`;
}

function showsAddresses(viewer: Viewer): Condition {
  if (viewer.role !== "client") return sql`true`;
  const isShown = sql`(select s.show_network_info_to_client from settings s where s.id = 1)`;
  return sql`${isShown} and ${hasAssignment(viewer, sql`a.assigned_expire_time >= ${viewer.now}`)}`;
}
