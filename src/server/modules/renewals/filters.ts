import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isClient, isSuperAdmin } from "../../../shared/roles.ts";
import { MAX_UNIX_SECONDS } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { containsPattern } from "../../platform/database/sql.ts";
import type { Viewer } from "../hosts/access.ts";

/** Beyond this number the ids of matching hosts are not worth a round trip. */
const MAX_HOST_IDS = 1_000;

/** What a list of requests is narrowed to, whatever their state is. */
export interface RenewalFilter {
  /** Requests of these clients; null for those of all. */
  readonly clientIds: readonly string[] | null;
  readonly search: RenewalSearch | null;
}

interface RenewalSearch {
  /** For LIKE. */
  readonly pattern: string;
  /** Applicants whose user name matches. */
  readonly userIds: readonly string[];
  /** Hosts whose present name matches; null when they are many. */
  readonly hostIds: readonly string[] | null;
}

interface FilterInput {
  readonly userId?: string | undefined;
  readonly search?: string | undefined;
}

/**
 * Looks up what a list is narrowed to. A million requests belong to some thousand users and hosts,
 * so the names are searched there, and the requests are found by ids. With the ids before it the
 * database knows whether few requests match, to be taken from an index, or many.
 */
export async function resolveFilter(
  em: SqlEntityManager,
  viewer: Viewer,
  { userId, search = "" }: FilterInput,
): Promise<RenewalFilter> {
  const scope = await findScope(em, viewer);
  const clientIds =
    userId === undefined ? scope : (scope?.filter((id) => id === userId) ?? [userId]);
  const text = search.trim();
  if (text === "") return { clientIds, search: null };

  const pattern = containsPattern(text);
  const userIds = await findApplicants(em, pattern, scope);
  const hostIds = await findHosts(em, pattern, scope);
  return { clientIds, search: { pattern, userIds, hostIds } };
}

/** The row scope of every read: the clients whose requests the viewer sees, null for all. */
export async function findScope(
  em: SqlEntityManager,
  { id, role }: Viewer,
): Promise<readonly string[] | null> {
  if (isSuperAdmin(role)) return null;
  if (isClient(role)) return [id];
  const clients = await kyselyOf(em)
    .selectFrom("users")
    .select("id")
    .where("admin", "=", id)
    .execute();
  return clients.map((client) => client.id);
}

/**
 * Deleted users are in their requests alone. The index of requests by user is walked from one user
 * to the next, which takes one step a user and not one a request.
 */
async function findApplicants(
  em: SqlEntityManager,
  pattern: string,
  scope: readonly string[] | null,
): Promise<readonly string[]> {
  const db = kyselyOf(em);
  if (scope !== null) {
    const users = db.selectFrom("users").select("id").where("username", "ilike", pattern);
    const found = await users.where("id", "=", sql<string>`any(${[...scope]}::uuid[])`).execute();
    return found.map(({ id }) => id);
  }
  const { rows } = await sql<{ id: string }>`
    with recursive applicants (id) as (
      (select user_id from renewals order by user_id limit 1)
      union all
      select (select r.user_id from renewals r where r.user_id > a.id order by r.user_id limit 1)
      from applicants a
      where a.id is not null
    )
    select a.id
    from applicants a
    left join users u on u.id = a.id
    where coalesce(u.username, (select r.user_username from renewals r where r.user_id = a.id limit 1)) ilike ${pattern}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Of the hosts that the clients in scope have now; null when they are many. */
async function findHosts(
  em: SqlEntityManager,
  pattern: string,
  scope: readonly string[] | null,
): Promise<readonly string[] | null> {
  const isInScope =
    scope === null
      ? sql`true`
      : sql`h.id in (
          select a.host_id from assignments a where a.user_id = any(${[...scope]}::uuid[]) and a.ended_at is null
        )`;
  const { rows } = await sql<{ id: string }>`
    select h.id from hosts h where ${isNamed(pattern)} and ${isInScope} limit ${MAX_HOST_IDS + 1}
  `.execute(em.getKysely());
  return rows.length > MAX_HOST_IDS ? null : rows.map(({ id }) => id);
}

/** Condition on hosts `h`. The text that is in lower case already spares most hosts the slower comparison. */
function isNamed(pattern: string): RawBuilder<SqlBool> {
  return sql`h.search_text like lower(${pattern}) and h.name ilike ${pattern}`;
}

/** Condition on the clients of a table with the alias, which is `r` or `a`: a request and its assignment have the same. */
export function isOfClients(
  alias: "r" | "a",
  { clientIds }: Pick<RenewalFilter, "clientIds">,
): RawBuilder<SqlBool> {
  return clientIds === null
    ? sql`true`
    : sql`${sql.ref(`${alias}.user_id`)} = any(${[...clientIds]}::uuid[])`;
}

/** Condition on renewals `r`. */
export function isFound(viewer: Viewer, { search }: RenewalFilter): RawBuilder<SqlBool> {
  return search === null ? sql`true` : matches(viewer, search);
}

function matches(
  viewer: Viewer,
  { pattern, userIds, hostIds }: RenewalSearch,
): RawBuilder<SqlBool> {
  const isOfUser = sql`r.user_id = any(${[...userIds]}::uuid[])`;
  const isOfHost =
    hostIds === null
      ? sql`r.host_id in (select h.id from hosts h where ${isNamed(pattern)})`
      : sql`r.host_id = any(${[...hostIds]}::uuid[])`;
  if (isSuperAdmin(viewer.role)) return sql`(${isOfUser} or ${isOfHost})`;

  // Once the host was taken back, clients and admins see the name that it had at the request.
  const isHolding = hasAssignment(viewer);
  return sql`(${isOfUser} or (${isOfHost} and ${isHolding}) or (not ${isHolding} and r.host_name ilike ${pattern}))`;
}

/** Whether the client of renewals `r` has the host now, as far as the viewer may know. */
function hasAssignment(viewer: Viewer): RawBuilder<SqlBool> {
  return sql`exists (select from assignments live where ${isLive(viewer)})`;
}

/** Condition on assignments `live` of renewals `r`. A client does not know of one that has not begun. */
export function isLive({ role, now }: Viewer): RawBuilder<SqlBool> {
  return sql`
    live.host_id = r.host_id and live.user_id = r.user_id and live.ended_at is null
    and live.assigned_at <= ${isClient(role) ? now : MAX_UNIX_SECONDS}`;
}
