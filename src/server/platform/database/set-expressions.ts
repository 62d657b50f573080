import { type Expression, type RawBuilder, sql } from "kysely";

/** A value for a `jsonb` column. The driver would send a list as an array of PostgreSQL. */
export function jsonb<Value>(value: Value): RawBuilder<Value> {
  return sql<Value>`${JSON.stringify(value)}::jsonb`;
}

/** The list of a `jsonb` column, with more items at its end. */
export function withItems<Item>(
  list: Expression<Item[]>,
  more: readonly Item[],
): RawBuilder<Item[]> {
  return sql<Item[]>`${list} || ${JSON.stringify(more)}::jsonb`;
}

/**
 * For `where("id", "=", anyOfRows(query))`: one of the values that a query finds. The query is run
 * once, before the rows that it is compared with are looked up by their index. For `in (select …)`
 * the planner may instead run it again for each row, and lock other rows each time.
 */
export function anyOfRows<Value>(
  query: Expression<Readonly<Record<string, Value>>>,
): RawBuilder<Value> {
  return sql<Value>`any(array${query})`;
}
