import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type {
  Expression,
  ExpressionBuilder,
  InferResult,
  Kysely,
  OrderByItemBuilder,
  SelectQueryBuilder,
} from "kysely";
import { HostStatus, type ListHostsInput } from "../../../shared/hosts.ts";
import { isClient } from "../../../shared/roles.ts";
import { arrayOf, positionIn } from "../../platform/database/expressions.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import { byRole, prepared } from "../../platform/database/prepared.ts";
import { isVisibleAssignment, providerEnd, type Viewer } from "./access.ts";
import { type FilteredHosts, filterHosts, findsFew } from "./filters.ts";

/** A page that ends within this many hosts of a list is sorted by comparing names. */
const MAX_COMPARED_NAMES = 1_000;

/** The usual order of a list. */
export const PLAIN_ORDER = { sort: "name", order: "asc" } as const;

export interface Page extends Pick<ListHostsInput, "order" | "limit"> {
  readonly sort: ListHostsInput["sort"] | "heldAt";
  readonly viewer: Viewer;
  readonly hosts: FilteredHosts;
  /**
   * Few hosts are expected, so they are found first and then sorted and counted. PostgreSQL itself
   * expects many, and would walk along the names to meet them.
   */
  readonly isReadFirst: boolean;
  /** The list is of this user's hosts. */
  readonly userId?: string | undefined;
  /** How many hosts come before the page. */
  readonly offset: number;
}

interface FoundPage {
  /** In order. */
  readonly ids: readonly string[];
  /** How many hosts the whole list has. */
  readonly total: number;
}

/** In one statement, so that a search reads the hosts once. */
export async function findPage(em: SqlEntityManager, page: Page): Promise<FoundPage> {
  return await selectPage(kyselyOf(em), page).executeTakeFirstOrThrow();
}

/** The ids of all hosts of a list, in its order. */
export async function findWholeList(
  em: SqlEntityManager,
  list: Omit<Page, "limit" | "offset">,
): Promise<readonly string[]> {
  const { ids } = await findPage(em, { ...list, limit: Number.MAX_SAFE_INTEGER, offset: 0 });
  return ids;
}

/** A page of a list without a filter and in its usual order, which is what is asked most. */
export async function findPlainPage(
  em: SqlEntityManager,
  { id, role, now }: Viewer,
  { limit, offset }: Pick<Page, "limit" | "offset">,
): Promise<FoundPage> {
  const [page] = await findPlainPageByRole[role](em, { id, now, limit, offset });
  return page ?? { ids: [], total: 0 };
}

interface PlainPageValues extends Pick<Viewer, "id" | "now">, Pick<Page, "limit" | "offset"> {}

/** Not named: without its values the database does not know how far the page is from the first. */
const findPlainPageByRole = byRole((role) =>
  prepared(
    (db, { id, now, ...range }: PlainPageValues) => {
      const viewer = { id, role, now };
      const hosts = filterHosts(db, viewer, {});
      const isReadFirst = findsFew(viewer, {});
      return selectPage(db, { ...range, ...PLAIN_ORDER, viewer, hosts, isReadFirst });
    },
    { isNamed: false },
  ),
);

function selectPage(db: Kysely<Tables>, page: Page) {
  return db
    .with(
      (name) => (page.isReadFirst ? name("found").materialized() : name("found").notMaterialized()),
      () => selectSortable(page.hosts),
    )
    .selectNoFrom((eb) => [
      arrayOf(selectIds(eb, page)).as("ids"),
      eb
        .selectFrom("found")
        .select((of) => of.fn.countAll<number>().as("count"))
        .$asScalar()
        .$notNull()
        .as("total"),
    ]);
}

type SortableHost = InferResult<ReturnType<typeof selectSortable>>[number];

/** With everything that a list is sorted by. */
function selectSortable(hosts: FilteredHosts) {
  return hosts
    .select([
      "h.id",
      "h.sortName",
      "h.status",
      "h.region",
      "h.zone",
      "h.cpu",
      "h.memory",
      "h.disk",
      "h.createTime",
      "h.heldAt",
    ])
    .select((eb) => providerEnd(eb).as("providerEnd"));
}

interface FoundTables extends Tables {
  readonly found: SortableHost;
}
interface SortedTables extends FoundTables {
  readonly f: SortableHost;
}

/** The hosts that were found, as `f`. */
type SortedHosts = SelectQueryBuilder<SortedTables, "f", object>;

/**
 * The ids of one page, in order. The order is total, so that pages neither repeat nor skip. Hosts
 * without a value are last in both directions, and hosts that are alike are sorted by name. Only
 * what the viewer is shown decides: the order of hidden dates would reveal them.
 */
function selectIds(
  eb: ExpressionBuilder<FoundTables, never>,
  page: Page,
): Expression<{ id: string }> {
  const { sort, order, limit, offset } = page;
  const found: SortedHosts = eb.selectFrom("found as f").limit(limit).offset(offset);

  switch (sort) {
    case "name":
      return found.select("f.id").orderBy("f.sortName", order).orderBy("f.id", order);
    case "status":
    case "zone":
    case "cpu":
    case "memory":
    case "disk":
      return selectByFeature(found, page, sort);
    case "createTime":
      return isClient(page.viewer.role)
        ? selectByAssignment(found, page, "firstStart")
        : thenByName(found.orderBy("f.createTime", valuesFirst(order)));
    case "expireTime":
      return isClient(page.viewer.role)
        ? selectByAssignment(found, page, "firstEnd")
        : thenByName(found.orderBy("f.providerEnd", valuesFirst(order)));
    case "assignedExpireTime":
      return selectByAssignment(found, page, "firstEnd");
    case "heldAt":
      return thenByName(found.orderBy("f.heldAt", order));
  }
}

function thenByName(sorted: SortedHosts): Expression<{ id: string }> {
  return sorted.select("f.id").orderBy("f.sortName").orderBy("f.id");
}

type Feature = "status" | "zone" | "cpu" | "memory" | "disk";

/**
 * Sorted by these, many hosts are alike and their names decide, and comparing names is slow. For a
 * late page the index of names is read once, and the numbers of its rows are compared in place of
 * the names.
 */
function selectByFeature(
  found: SortedHosts,
  { order, limit, offset }: Page,
  sort: Feature,
): Expression<{ id: string }> {
  const sorted = sortByFeature(found, sort, order);
  if (offset + limit <= MAX_COMPARED_NAMES) return thenByName(sorted);

  return sorted
    .leftJoin(
      (eb) =>
        eb
          .selectFrom("hosts as n")
          .select((inner) => [
            "n.id",
            inner.fn
              .agg<number>("row_number")
              .over((window) => window.orderBy("n.sortName").orderBy("n.id"))
              .as("position"),
          ])
          .where("n.goneAt", "is", null)
          .as("named"),
      (join) => join.onRef("named.id", "=", "f.id"),
    )
    .select("f.id")
    .orderBy("named.position")
    .orderBy("f.sortName")
    .orderBy("f.id");
}

function sortByFeature(found: SortedHosts, sort: Feature, order: Page["order"]): SortedHosts {
  switch (sort) {
    case "status": {
      const statuses = HostStatus.options;
      return found.orderBy((eb) => positionIn(statuses, eb.ref("f.status")), valuesFirst(order));
    }
    case "zone": {
      const byCode = (item: OrderByItemBuilder) => item.collate("C")[order]();
      return found.orderBy("f.region", byCode).orderBy("f.zone", byCode);
    }
    case "cpu":
    case "memory":
    case "disk":
      return found.orderBy(`f.${sort}`, valuesFirst(order));
  }
}

/**
 * By the first start or the first end of the assignments that the viewer may know of; of those of
 * one user where the list is that user's.
 */
function selectByAssignment(
  found: SortedHosts,
  { viewer, userId, order }: Page,
  date: "firstStart" | "firstEnd",
): Expression<{ id: string }> {
  return found
    .leftJoin(
      (eb) =>
        eb
          .selectFrom("assignments as a")
          .select((inner) => [
            "a.host",
            inner.fn.min("a.assignedAt").as("firstStart"),
            inner.fn.min("a.assignedExpireTime").as("firstEnd"),
          ])
          .where((inner) => isVisibleAssignment(inner, viewer))
          .where((inner) =>
            userId === undefined ? inner.lit(true) : inner("a.userId", "=", userId),
          )
          .groupBy("a.host")
          .as("ends"),
      (join) => join.onRef("ends.host", "=", "f.id"),
    )
    .select("f.id")
    .orderBy(`ends.${date}`, valuesFirst(order))
    .orderBy("f.sortName")
    .orderBy("f.id");
}

function valuesFirst(order: Page["order"]) {
  return (item: OrderByItemBuilder) => item[order]().nullsLast();
}
