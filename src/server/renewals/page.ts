import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { ListRenewalsInput, RenewalList, RenewalStatus } from "../../shared/renewals.ts";

/** Up to this number the requests are read and sorted; more are read in the order of an index. */
const MAX_SORTED = 50_000;

type Counts = RenewalList["counts"];

/** The number of requests in each state. No joins: at a million requests one index is read. */
export async function countByStatus(em: SqlEntityManager, conditions: readonly Expression<SqlBool>[]): Promise<Counts> {
  const { rows } = await sql<{ status: RenewalStatus; count: number }>`
    select r.status, count(*) as count from renewals r where ${allOf(conditions)} group by r.status
  `.execute(em.getKysely());
  const counts = { pending: 0, approved: 0, rejected: 0, completed: 0, cancelled: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

export interface PageQuery extends Pick<ListRenewalsInput, "sort" | "order" | "page" | "limit"> {
  /** On renewals `r`, the state included. */
  readonly conditions: readonly Expression<SqlBool>[];
  /** How many requests meet them. */
  readonly total: number;
  readonly isSearch: boolean;
}

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
export async function findPage(em: SqlEntityManager, query: PageQuery): Promise<readonly string[]> {
  const { sort, total, isSearch } = query;
  const walk = walkTo(query);
  if (walk === null) return [];

  const isByEnd = sort === "expireTime";
  const isSorted = (isByEnd || isSearch) && total <= MAX_SORTED;
  const page = isByEnd ? pageByEnd(query, walk, isSorted) : pageById(query, walk, isSorted);
  const { rows } = await sql<{ id: string }>`${page}`.execute(em.getKysely());
  const ids = rows.map(({ id }) => id);
  return walk.isBackwards ? ids.toReversed() : ids;
}

/** Null behind the last page. */
function walkTo({ page, limit, total, order }: PageQuery): Walk | null {
  const offset = (page - 1) * limit;
  const length = Math.min(limit, total - offset);
  if (length <= 0) return null;

  const after = total - offset - length;
  if (offset <= after) return { order, offset, limit: length, isBackwards: false };
  return { order: order === "asc" ? "desc" : "asc", offset: after, limit: length, isBackwards: true };
}

function pageById({ conditions }: PageQuery, { order, offset, limit }: Walk, isSorted: boolean): RawBuilder<unknown> {
  return sql`
    with found as ${reading(isSorted)} (select r.id from renewals r where ${allOf(conditions)})
    select id from found r order by r.id ${sql.raw(order)} limit ${limit} offset ${offset}`;
}

/** By the end of the client's assignment; those that end together, newest first. */
function pageByEnd({ conditions }: PageQuery, walk: Walk, isSorted: boolean): RawBuilder<unknown> {
  const byId = walk.isBackwards ? sql`asc` : sql`desc`;
  return sql`
    with found as ${reading(isSorted)} (select r.id, r.assignment_id from renewals r where ${allOf(conditions)})
    select r.id
    from found r
    join assignments a on a.id = r.assignment_id
    order by a.assigned_expire_time ${sql.raw(walk.order)}, r.id ${byId}
    limit ${walk.limit} offset ${walk.offset}`;
}

function reading(isSorted: boolean): RawBuilder<unknown> {
  return isSorted ? sql`materialized` : sql`not materialized`;
}

export function allOf(conditions: readonly Expression<SqlBool>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql`true` : sql`${sql.join([...conditions], sql` and `)}`;
}
