import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { ListRenewalsInput, RenewalList } from "../../../shared/renewals.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Viewer } from "../hosts/access.ts";
import { isOfClients } from "./access.ts";
import { matchesSearch, type RenewalFilter } from "./filters.ts";

/**
 * Up to this number the renewals that a search finds are read and sorted; more are met often
 * enough on the way.
 */
const MAX_FOUND = 2_000;
/** The same for a list by end, whose order takes a join. */
const MAX_SORTED_BY_END = 50_000;

type Counts = RenewalList["counts"];

/** The number of renewals in each state. No joins: at a million renewals one index is read. */
export async function countByStatus(
  em: SqlEntityManager,
  viewer: Viewer,
  { clientIds, search }: RenewalFilter,
): Promise<Counts> {
  const rows = await kyselyOf(em)
    .selectFrom("renewals as r")
    .select((eb) => ["r.status", eb.fn.countAll<number>().as("count")])
    .where((eb) => isOfClients(eb, clientIds))
    .where((eb) => matchesSearch(eb, viewer, search))
    .groupBy("r.status")
    .execute();

  const counts = { pending: 0, approved: 0, rejected: 0, completed: 0, cancelled: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** Which renewals a list has, and in which order. */
interface List extends Pick<ListRenewalsInput, "status" | "sort" | "order"> {
  readonly viewer: Viewer;
  readonly filter: RenewalFilter;
}

interface Page extends List, Pick<ListRenewalsInput, "page" | "limit"> {
  /** How many renewals the whole list has. */
  readonly total: number;
}

/** How the rows are reached. */
interface Walk {
  readonly order: "asc" | "desc";
  readonly offset: number;
  /** Null: all that follow. */
  readonly limit: number | null;
  /** The rows come last first. */
  readonly isBackwards: boolean;
  /** What the list has is read whole and then sorted, not met along an index. */
  readonly isReadFirst: boolean;
}

/**
 * The ids of one page, in order. Ids alone, because the rows before the page would be read as well.
 * A page in the far half is read from the other end, so that no page is further away than half the
 * list.
 */
export async function findPage(em: SqlEntityManager, page: Page): Promise<readonly string[]> {
  const walk = walkTo(page);
  if (walk === null) return [];

  const ids = await findIds(em, page, walk);
  return walk.isBackwards ? ids.toReversed() : ids;
}

/** The ids of the whole list, in order and in one statement. */
export async function findWholeList(em: SqlEntityManager, list: List): Promise<readonly string[]> {
  const { order } = list;
  const walk = { order, offset: 0, limit: null, isBackwards: false, isReadFirst: true };
  return await findIds(em, list, walk);
}

interface Continuation {
  /** The last id before those that are wanted; null for the first. */
  readonly after: string | null;
  readonly limit: number;
}

/** The next ids of a list by `createdAt`, which is the order of the ids. */
export async function findNext(
  em: SqlEntityManager,
  list: List,
  { after, limit }: Continuation,
): Promise<readonly string[]> {
  const { order } = list;
  const isFurther = order === "asc" ? ">" : "<";

  const found = await selectByClients(em, list)
    .where((eb) => (after === null ? eb.lit(true) : eb("r.id", isFurther, after)))
    .orderBy("r.id", order)
    .limit(limit)
    .execute();
  return found.map(({ id }) => id);
}

/** Null behind the last page. */
function walkTo(page: Page): Walk | null {
  const { limit, total, order } = page;
  const offset = (page.page - 1) * limit;
  const length = Math.min(limit, total - offset);
  if (length <= 0) return null;

  const isReadFirst = findsFew(page);
  const after = total - offset - length;
  if (offset <= after) return { order, offset, limit: length, isBackwards: false, isReadFirst };
  return {
    order: order === "asc" ? "desc" : "asc",
    offset: after,
    limit: length,
    isBackwards: true,
    isReadFirst,
  };
}

/** PostgreSQL does not know that a search finds few, and would walk along all ids to meet them. */
function findsFew({ sort, filter, total }: Page): boolean {
  if (sort === "expireTime") return total <= MAX_SORTED_BY_END;
  return filter.search !== null && total <= MAX_FOUND;
}

async function findIds(em: SqlEntityManager, list: List, walk: Walk): Promise<string[]> {
  const found =
    list.sort === "expireTime" ? await findByEnd(em, list, walk) : await findById(em, list, walk);
  return found.map(({ id }) => id);
}

async function findById(em: SqlEntityManager, list: List, walk: Walk) {
  return await kyselyOf(em)
    .with(
      (name) => (walk.isReadFirst ? name("found").materialized() : name("found").notMaterialized()),
      () => selectByClients(em, list),
    )
    .selectFrom("found as f")
    .select("f.id")
    .orderBy("f.id", walk.order)
    .limit(walk.limit)
    .offset(walk.offset)
    .execute();
}

/**
 * By the end of the client's assignment; those that end together, newest first. Whose a renewal is
 * is asked of its assignment, which has the same client, so that few of them are joined.
 */
async function findByEnd(em: SqlEntityManager, list: List, walk: Walk) {
  const { clientIds } = list.filter;
  const newestFirst = walk.isBackwards ? "asc" : "desc";

  return await kyselyOf(em)
    .with(
      (name) => (walk.isReadFirst ? name("found").materialized() : name("found").notMaterialized()),
      () => {
        const found = selectFound(em, list)
          .innerJoin("assignments as requested", "requested.id", "r.assignment")
          .select(["r.id", "requested.assignedExpireTime as endsAt"]);
        if (clientIds === "all") return found;
        return found.where("requested.userId", "=", anyOf(clientIds));
      },
    )
    .selectFrom("found as f")
    .select("f.id")
    .orderBy("f.endsAt", walk.order)
    .orderBy("f.id", newestFirst)
    .limit(walk.limit)
    .offset(walk.offset)
    .execute();
}

function selectByClients(em: SqlEntityManager, list: List) {
  return selectFound(em, list)
    .select("r.id")
    .where((eb) => isOfClients(eb, list.filter.clientIds));
}

/** The renewals that the search and the state name; whose they are is for the callers to ask. */
function selectFound(em: SqlEntityManager, { viewer, filter, status }: List) {
  const renewals = kyselyOf(em)
    .selectFrom("renewals as r")
    .where((eb) => matchesSearch(eb, viewer, filter.search));
  return status === undefined ? renewals : renewals.where("r.status", "=", status);
}
