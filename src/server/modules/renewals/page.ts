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

type PageInput = Pick<ListRenewalsInput, "status" | "sort" | "order" | "page" | "limit">;

interface Page extends PageInput {
  readonly viewer: Viewer;
  readonly filter: RenewalFilter;
  /** How many renewals the whole list has. */
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

  const found =
    page.sort === "expireTime" ? await findByEnd(em, page, walk) : await findById(em, page, walk);
  const ids = found.map(({ id }) => id);
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
async function findById(em: SqlEntityManager, page: Page, walk: Walk) {
  const { filter, total } = page;
  const isReadFirst = filter.search !== null && total <= MAX_FOUND;

  return await kyselyOf(em)
    .with(
      (name) => (isReadFirst ? name("found").materialized() : name("found").notMaterialized()),
      () =>
        selectFound(em, page)
          .select("r.id")
          .where((eb) => isOfClients(eb, filter.clientIds)),
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
async function findByEnd(em: SqlEntityManager, page: Page, walk: Walk) {
  const { clientIds } = page.filter;
  const isReadFirst = page.total <= MAX_SORTED_BY_END;
  const newestFirst = walk.isBackwards ? "asc" : "desc";

  return await kyselyOf(em)
    .with(
      (name) => (isReadFirst ? name("found").materialized() : name("found").notMaterialized()),
      () => {
        const found = selectFound(em, page)
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

/** The renewals that the search and the state name; whose they are is for the callers to ask. */
function selectFound(em: SqlEntityManager, { viewer, filter, status }: Page) {
  const renewals = kyselyOf(em)
    .selectFrom("renewals as r")
    .where((eb) => matchesSearch(eb, viewer, filter.search));
  return status === undefined ? renewals : renewals.where("r.status", "=", status);
}
