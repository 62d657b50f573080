import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";

/** What the query builder lacks. */

/**
 * The values written into the statement, not as parameters: a partial index is used only by a
 * condition that PostgreSQL can compare with the index's own.
 */
export function literals<Value extends string>(values: readonly Value[]): RawBuilder<Value>[] {
  return values.map((value) => sql.lit(value));
}

/** To sort by: the place of a value in a list, from 1; null when it is not there. */
export function positionIn(
  values: readonly string[],
  value: Expression<string>,
): RawBuilder<number | null> {
  return sql`array_position(${values}::text[], ${value}::text)`;
}

/** Everything that the JSON path finds, as the text of a JSON array. */
export function jsonTextAt(json: Expression<unknown>, path: string): RawBuilder<string> {
  return sql`(jsonb_path_query_array(${json}, ${sql.lit(path)}) #>> '{}')`;
}

/**
 * Between which of the ascending bounds a number lies: 0 before the first, 1 from the first to
 * before the second, and so on; null for null.
 */
export function bucketOf(
  value: Expression<number | null>,
  bounds: readonly number[],
): RawBuilder<number | null> {
  return sql`width_bucket(${value}, ${bounds}::bigint[])`;
}

/** A value for a `jsonb` column. The driver would send a list as an array of PostgreSQL. */
export function jsonb<Value>(value: Value): RawBuilder<Value> {
  return sql<Value>`${JSON.stringify(value)}::jsonb`;
}

/**
 * Whether the list of a `jsonb` column has items. A partial index of such rows is used only by this
 * very condition.
 */
export function hasItems(list: Expression<unknown[]>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${list} <> '[]'`;
}

/** A row for each object in the list of a `jsonb` column: the text of this field. */
export function fieldOfItems(list: Expression<unknown[]>, field: string): RawBuilder<string> {
  return sql`(jsonb_array_elements(${list}) ->> ${sql.lit(field)})`;
}

/** Whether a `jsonb` list of texts in lower case has each of these, without regard to case. */
export function hasLowerCaseOf(
  list: Expression<string[]>,
  texts: readonly string[],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`${list} @> lower(${JSON.stringify(texts)})::jsonb`;
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

/** The values that a query of one column finds, in its order. */
export function arrayOf<Value>(
  query: Expression<Readonly<Record<string, Value>>>,
): RawBuilder<Value[]> {
  return sql<Value[]>`array${query}`;
}

/** The first item of an array of the database. */
export function firstOf<Item>(array: Expression<Item[]>): RawBuilder<Item> {
  return sql<Item>`(${array})[1]`;
}
