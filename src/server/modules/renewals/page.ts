import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { RenewalStatus } from "../../../shared/renewal-status.ts";
import type { ListRenewalsInput, RenewalList } from "../../../shared/renewals.ts";
import type { Viewer } from "../hosts/access.ts";
import { isFound, isOfClients, type RenewalFilter } from "./filters.ts";

/** Up to this number the requests that a search finds are read and sorted; more are met often enough on the way. */
const MAX_FOUND = 2_000;
/** The same for a list by end, whose order takes a join. */
const MAX_SORTED_BY_END = 50_000;

type Counts = RenewalList["counts"];

/** The number of requests in each state. No joins: at a million requests one index is read. */
export async function countByStatus(
  em: SqlEntityManager,
  viewer: Viewer,
  filter: RenewalFilter,
): Promise<Counts> {
  const { rows } = await sql<{ status: RenewalStatus; count: number }>`
    select r.status, count(*) as count
    from renewals r
    where ${isOfClients("r", filter)} and ${isFound(viewer, filter)}
    group by r.status
  `.execute(em.getKysely());
  const counts = { pending: 0, approved: 0, rejected: 0, completed: 0, cancelled: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

type PageInput = Pick<ListRenewalsInput, "status" | "sort" | "order" | "page" | "limit">;

interface Page extends PageInput {
  readonly viewer: Viewer;
  readonly filter: RenewalFilter;
  /** How many requests the whole list has. */
  readonly total: number;
}

/** How the rows of a page are reached. */
interface Walk {
  readonly order: "asc" | "desc";
  readonly offset: number;
  readonly limit: number;
  /** The rows come last first. */
  readonly isBackwards: boolean;
}

/**
 * The ids of one page, in order. Ids alone, because the rows before the page would be read as well.
 * A page in the far half is read from the other end, so that no page is further away than half the
 * list.
 */
export async function findPage(em: SqlEntityManager, page: Page): Promise<readonly string[]> {
  const walk = walkTo(page);
  if (walk === null) return [];

  const query = page.sort === "expireTime" ? pageByEnd(page, walk) : pageById(page, walk);
  const { rows } = await query.execute(em.getKysely());
  const ids = rows.map(({ id }) => id);
  return walk.isBackwards ? ids.toReversed() : ids;
}

/** Null behind the last page. */
function walkTo({ page, limit, total, order }: Page): Walk | null {
  const offset = (page - 1) * limit;
  const length = Math.min(limit, total - offset);
  if (length <= 0) return null;

  const after = total - offset - length;
  if (offset <= after) return { order, offset, limit: length, isBackwards: false };
  return {
    order: order === "asc" ? "desc" : "asc",
    offset: after,
    limit: length,
    isBackwards: true,
  };
}

/** PostgreSQL does not know that a search finds few, and would walk along all ids to meet them. */
function pageById(
  { viewer, filter, status, total }: Page,
  { order, offset, limit }: Walk,
): RawBuilder<{ id: string }> {
  const isSorted = filter.search !== null && total <= MAX_FOUND;
  return sql`
    with found as ${reading(isSorted)} (
      select r.id
      from renewals r
      where ${isOfClients("r", filter)} and ${isFound(viewer, filter)} and ${hasStatus(status)}
    )
    select f.id from found f order by f.id ${sql.raw(order)} limit ${limit} offset ${offset}`;
}

/** By the end of the client's assignment; those that end together, newest first. */
function pageByEnd(
  { viewer, filter, status, total }: Page,
  walk: Walk,
): RawBuilder<{ id: string }> {
  const byId = walk.isBackwards ? sql`asc` : sql`desc`;
  return sql`
    with found as ${reading(total <= MAX_SORTED_BY_END)} (
      select r.id, a.assigned_expire_time as "end"
      from renewals r
      join assignments a on a.id = r.assignment_id
      where ${isOfClients("a", filter)} and ${isFound(viewer, filter)} and ${hasStatus(status)}
    )
    select f.id
    from found f
    order by f."end" ${sql.raw(walk.order)}, f.id ${byId}
    limit ${walk.limit} offset ${walk.offset}`;
}

function hasStatus(status: RenewalStatus | undefined): RawBuilder<SqlBool> {
  return status === undefined ? sql`true` : sql`r.status = ${status}`;
}

function reading(isSorted: boolean): RawBuilder<unknown> {
  return isSorted ? sql`materialized` : sql`not materialized`;
}
