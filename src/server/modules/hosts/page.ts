import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Expression, OrderByItemBuilder } from "kysely";
import { HostStatus, type ListHostsInput } from "../../../shared/hosts.ts";
import { idsInOrder, positionIn } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { isVisibleAssignment, type Viewer } from "./access.ts";
import { type FilteredHosts, providerEnd } from "./filters.ts";

/** A page that ends within this many hosts of a list is sorted by comparing names. */
const MAX_COMPARED_NAMES = 1_000;

export interface Page extends Pick<ListHostsInput, "sort" | "order" | "page" | "limit" | "userId"> {
  readonly viewer: Viewer;
  readonly hosts: FilteredHosts;
  /** How many hosts the whole list has. */
  readonly total: number;
  readonly isSearch: boolean;
}

/**
 * The ids of one page and their places in it, to be joined. The order is total, so that pages
 * neither repeat nor skip. Hosts without a value are last in both directions, and hosts that are
 * alike are sorted by name.
 */
export function selectPage(em: SqlEntityManager, page: Page) {
  return idsInOrder(selectIds(em, page), "page");
}

/** A query of ids, in order. */
type SortedIds = Expression<{ id: string }>;

/** Only by what the viewer is shown: the order of hidden dates would reveal them. */
function selectIds(em: SqlEntityManager, page: Page): SortedIds {
  const isClient = page.viewer.role === "client";
  switch (page.sort) {
    case "name":
      return selectByName(em, page);
    case "status":
    case "zone":
    case "cpu":
    case "memory":
    case "disk":
      return selectByFeature(em, page, page.sort);
    case "createTime":
      return isClient
        ? selectByAssignment(page, "firstStart")
        : selectByProviderDate(page, page.sort);
    case "expireTime":
      return isClient
        ? selectByAssignment(page, "firstEnd")
        : selectByProviderDate(page, page.sort);
    case "assignedExpireTime":
      return selectByAssignment(page, "firstEnd");
  }
}

/**
 * PostgreSQL expects a search to find many hosts and would walk along the names; most find few, so
 * they are found first and then sorted.
 */
function selectByName(em: SqlEntityManager, page: Page): SortedIds {
  const { hosts, order, isSearch } = page;
  return kyselyOf(em)
    .with(
      (name) => (isSearch ? name("found").materialized() : name("found").notMaterialized()),
      () => hosts.select(["h.id", "h.sortName"]),
    )
    .selectFrom("found as f")
    .select("f.id")
    .orderBy("f.sortName", order)
    .orderBy("f.id", order)
    .limit(page.limit)
    .offset(offsetOf(page));
}

/**
 * Sorted by these, many hosts are alike and their names decide, and comparing names is slow. For a
 * late page the index of names is read once, and the numbers of its rows are compared in place of
 * the names.
 */
function selectByFeature(em: SqlEntityManager, page: Page, sort: Feature): SortedIds {
  const { total, limit } = page;
  const sorted = sortByFeature(page, sort);
  if (Math.min(total, page.page * limit) <= MAX_COMPARED_NAMES) {
    return sorted
      .select("h.id")
      .orderBy("h.sortName")
      .orderBy("h.id")
      .limit(limit)
      .offset(offsetOf(page));
  }

  const named = kyselyOf(em)
    .selectFrom("hosts as n")
    .select((eb) => [
      "n.id",
      eb.fn
        .agg<number>("row_number")
        .over((window) => window.orderBy("n.sortName").orderBy("n.id"))
        .as("position"),
    ])
    .where("n.goneAt", "is", null);
  return sorted
    .leftJoin(named.as("named"), "named.id", "h.id")
    .select("h.id")
    .orderBy("named.position")
    .orderBy("h.sortName")
    .orderBy("h.id")
    .limit(limit)
    .offset(offsetOf(page));
}

type Feature = "status" | "zone" | "cpu" | "memory" | "disk";

function sortByFeature({ hosts, order }: Page, sort: Feature): FilteredHosts {
  switch (sort) {
    case "status": {
      const statuses = HostStatus.options;
      return hosts.orderBy((eb) => positionIn(statuses, eb.ref("h.status")), valuesFirst(order));
    }
    case "zone": {
      const byCode = (item: OrderByItemBuilder) => item.collate("C")[order]();
      return hosts.orderBy("h.region", byCode).orderBy("h.zone", byCode);
    }
    case "cpu":
    case "memory":
    case "disk":
      return hosts.orderBy(`h.${sort}`, valuesFirst(order));
  }
}

function selectByProviderDate(page: Page, sort: "createTime" | "expireTime"): SortedIds {
  return page.hosts
    .select("h.id")
    .orderBy(
      (eb) => (sort === "createTime" ? eb.ref("h.createTime") : providerEnd(eb)),
      valuesFirst(page.order),
    )
    .orderBy("h.sortName")
    .orderBy("h.id")
    .limit(page.limit)
    .offset(offsetOf(page));
}

/**
 * By the first start or the first end of the assignments that the viewer may know of; of those of
 * one user where the list is that user's.
 */
function selectByAssignment(page: Page, date: "firstStart" | "firstEnd"): SortedIds {
  const { userId } = page;
  return page.hosts
    .leftJoin(
      (eb) =>
        eb
          .selectFrom("assignments as a")
          .select((inner) => [
            "a.host",
            inner.fn.min("a.assignedAt").as("firstStart"),
            inner.fn.min("a.assignedExpireTime").as("firstEnd"),
          ])
          .where((inner) => isVisibleAssignment(inner, page.viewer))
          .where((inner) =>
            userId === undefined ? inner.lit(true) : inner("a.userId", "=", userId),
          )
          .groupBy("a.host")
          .as("ends"),
      (join) => join.onRef("ends.host", "=", "h.id"),
    )
    .select("h.id")
    .orderBy(`ends.${date}`, valuesFirst(page.order))
    .orderBy("h.sortName")
    .orderBy("h.id")
    .limit(page.limit)
    .offset(offsetOf(page));
}

function offsetOf({ page, limit }: Page): number {
  return (page - 1) * limit;
}

function valuesFirst(order: "asc" | "desc") {
  return (item: OrderByItemBuilder) => item[order]().nullsLast();
}
