import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Expression, ExpressionBuilder, InferResult, OrderByItemBuilder } from "kysely";
import type { SortOrder } from "../../../shared/page.ts";
import type { ListUsersInput, UserSort } from "../../../shared/users.ts";
import { arrayOf } from "../../platform/database/expressions.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import type { FilteredUsers } from "./filters.ts";
import { nextEnd } from "./next-end.ts";

interface Order extends Pick<ListUsersInput, "sort" | "order"> {
  /** In Unix seconds: which ends have passed. */
  readonly now: number;
}

interface Range {
  /** How many users come before. */
  readonly offset: number;
  /** Null: all that follow. */
  readonly limit: number | null;
}

const ALL: Range = { offset: 0, limit: null };

interface FoundPage {
  /** In order. */
  readonly ids: readonly string[];
  /** How many users the whole list has. */
  readonly total: number;
}

/** In one statement, so that a search reads the users once. */
export async function findPage(
  em: SqlEntityManager,
  users: FilteredUsers,
  { page, limit, ...order }: Order & Pick<ListUsersInput, "page" | "limit">,
): Promise<FoundPage> {
  const range = { offset: (page - 1) * limit, limit };

  return await kyselyOf(em)
    .with("found", () => users)
    .selectNoFrom((eb) => [
      arrayOf(selectIds(eb, order, range)).as("ids"),
      eb
        .selectFrom("found")
        .select((of) => of.fn.countAll<number>().as("count"))
        .$asScalar()
        .$notNull()
        .as("total"),
    ])
    .executeTakeFirstOrThrow();
}

/** The ids of the whole list, in order and in one statement. */
export async function findWholeList(
  em: SqlEntityManager,
  users: FilteredUsers,
  order: Order,
): Promise<readonly string[]> {
  const { ids } = await kyselyOf(em)
    .with("found", () => users)
    .selectNoFrom((eb) => arrayOf(selectIds(eb, order, ALL)).as("ids"))
    .executeTakeFirstOrThrow();
  return ids;
}

type FoundTables = Tables & { readonly found: InferResult<FilteredUsers>[number] };

/**
 * The ids of a range, in order. The order is total, so that pages neither repeat nor skip. Users
 * without a next end are last in both directions. Those with as many hosts or the same end are sorted
 * by name.
 */
function selectIds(
  eb: ExpressionBuilder<FoundTables, never>,
  { sort, order = usualOrder(sort), now }: Order,
  { offset, limit }: Range,
): Expression<{ id: string }> {
  const found = eb.selectFrom("found as f").limit(limit).offset(offset);

  switch (sort) {
    case "createdAt":
      return found.select("f.id").orderBy("f.createdAt", order).orderBy("f.id", order);
    case "name":
      return found.select("f.id").orderBy("f.name", byName(order)).orderBy("f.id", order);
    case "hostCount":
    case "nextEnd":
      return found
        .leftJoin(
          (of) =>
            of
              .selectFrom("assignments as a")
              .select((inner) => [
                "a.userId",
                inner.fn.countAll<number>().as("hostCount"),
                nextEnd(inner, now).as("nextEnd"),
              ])
              .where("a.endedAt", "is", null)
              .groupBy("a.userId")
              .as("held"),
          (join) => join.onRef("held.userId", "=", "f.id"),
        )
        .select("f.id")
        .orderBy(
          (of) =>
            sort === "nextEnd"
              ? of.ref("held.nextEnd")
              : of.fn.coalesce("held.hostCount", of.lit(0)),
          (item) => item[order]().nullsLast(),
        )
        .orderBy("f.name", byName("asc"))
        .orderBy("f.id");
  }
}

/** The newest users are looked for, and the first of everything else. */
function usualOrder(sort: UserSort): SortOrder {
  return sort === "createdAt" ? "desc" : "asc";
}

/** As the names of hosts are: by pinyin, numbers as numbers. */
function byName(order: SortOrder) {
  return (item: OrderByItemBuilder) => item.collate("name_order")[order]();
}
