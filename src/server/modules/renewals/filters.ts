import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Expression, SqlBool } from "kysely";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf, containsPattern } from "../../platform/database/sql.ts";
import { type HostExpressions, isCurrentAssignment, type Viewer } from "../hosts/access.ts";
import { type ClientScope, findScope, type RenewalExpressions } from "./access.ts";
import { findClients } from "./clients.ts";

/** More ids of matching hosts would cost more to send than to find again. */
const MAX_HOST_IDS = 1_000;

/** What a list of renewals is narrowed to, whatever their state is. */
export interface RenewalFilter {
  readonly clientIds: ClientScope;
  readonly search: RenewalSearch | null;
}

interface RenewalSearch {
  /** For LIKE. */
  readonly pattern: string;
  /** Clients whose user name matches. */
  readonly userIds: readonly string[];
  /** Hosts whose present name matches; null when they are many. */
  readonly hostIds: readonly string[] | null;
}

interface FilterInput {
  readonly userId?: string | undefined;
  readonly search?: string | undefined;
}

/**
 * Looks up what a list is narrowed to. A million renewals belong to some thousand users and hosts,
 * so the names are searched there, and the renewals are found by ids. With the ids before it the
 * database knows whether few renewals match, to be taken from an index, or many.
 */
export async function resolveFilter(
  em: SqlEntityManager,
  viewer: Viewer,
  { userId, search = "" }: FilterInput,
): Promise<RenewalFilter> {
  const scope = await findScope(em, viewer);
  const clientIds = userId === undefined ? scope : narrowScope(scope, userId);

  const text = search.trim();
  if (text === "") return { clientIds, search: null };

  const pattern = containsPattern(text);
  const userIds = await findClients(em, pattern, scope);
  const hostIds = await findHosts(em, pattern, scope);
  return { clientIds, search: { pattern, userIds, hostIds } };
}

/** A user outside of the scope has no renewals that the viewer sees. */
function narrowScope(scope: ClientScope, userId: string): readonly string[] {
  if (scope === "all") return [userId];
  return scope.includes(userId) ? [userId] : [];
}

/** Of the hosts that the clients in scope have now; null when they are many. */
async function findHosts(
  em: SqlEntityManager,
  pattern: string,
  scope: ClientScope,
): Promise<readonly string[] | null> {
  let hosts = kyselyOf(em)
    .selectFrom("hosts as h")
    .select("h.id")
    .where((eb) => isNamed(eb, pattern));
  if (scope !== "all") {
    hosts = hosts.where("h.id", "in", (eb) =>
      eb
        .selectFrom("assignments as a")
        .select("a.host")
        .where("a.userId", "=", anyOf(scope))
        .where("a.endedAt", "is", null),
    );
  }

  const found = await hosts.limit(MAX_HOST_IDS + 1).execute();
  return found.length > MAX_HOST_IDS ? null : found.map(({ id }) => id);
}

/** The text that is in lower case already spares most hosts the slower comparison. */
function isNamed(eb: HostExpressions, pattern: string): Expression<SqlBool> {
  const lowerPattern = eb.fn<string>("lower", [eb.val(pattern)]);
  return eb.and([eb("h.searchText", "like", lowerPattern), eb("h.name", "ilike", pattern)]);
}

/** Whether the search finds the renewal. */
export function matchesSearch(
  eb: RenewalExpressions,
  viewer: Viewer,
  search: RenewalSearch | null,
): Expression<SqlBool> {
  if (search === null) return eb.lit(true);

  const isOfUser = eb("r.userId", "=", anyOf(search.userIds));
  const isOfHost = hasHostNamed(eb, search);
  if (isSuperAdmin(viewer.role)) return eb.or([isOfUser, isOfHost]);

  // Once the host was taken back, clients and admins see the name that it had when the renewal was
  // requested.
  const isHolding = hasAssignment(eb, viewer);
  const wasNamed = eb("r.hostName", "ilike", search.pattern);
  return eb.or([isOfUser, eb.and([isOfHost, isHolding]), eb.and([eb.not(isHolding), wasNamed])]);
}

function hasHostNamed(
  eb: RenewalExpressions,
  { hostIds, pattern }: RenewalSearch,
): Expression<SqlBool> {
  if (hostIds !== null) return eb("r.host", "=", anyOf(hostIds));

  const hosts = eb
    .selectFrom("hosts as h")
    .select("h.id")
    .where((inner) => isNamed(inner, pattern));
  return eb("r.host", "in", hosts);
}

/** Whether the client of the renewal has the host now, as far as the viewer may know. */
function hasAssignment(eb: RenewalExpressions, viewer: Viewer): Expression<SqlBool> {
  const assignments = eb
    .selectFrom("assignments as a")
    .select("a.id")
    .whereRef("a.host", "=", "r.host")
    .whereRef("a.userId", "=", "r.userId")
    .where((inner) => isCurrentAssignment(inner, viewer));
  return eb.exists(assignments);
}
