import { z } from "zod";
import { insertRows, TABLES, type TestDatabase } from "./database.ts";

const SAVED = [...TABLES, "settings"] as const;
const Row = z.record(z.string(), z.unknown());
const Tables = z.record(z.enum(SAVED), z.array(Row));
const NEWEST_EVENT = "select coalesce(max(id), 0)::int from events";

/** All rows without generated columns, and the newest event id. */
export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

/**
 * The expression for a row without generated columns; the catalogue is slow to read, so once for a
 * database.
 */
const rowExpressions = new WeakMap<TestDatabase, string>();

export async function takeSnapshot(database: TestDatabase) {
  const row = rowExpressions.get(database) ?? (await rowExpressionOf(database));
  rowExpressions.set(database, row);
  const parts = SAVED.map(
    (table) =>
      `'${table}', (select coalesce(jsonb_agg(${row} order by to_jsonb(t)::text), '[]') from ${table} t)`,
  );
  const [found] = await database.query(`
    select jsonb_build_object(${parts.join(", ")}) as tables, (${NEWEST_EVENT}) as newest`);
  return { tables: Tables.parse(found?.tables), newestEvent: Number(found?.newest) };
}

export async function readNewestEvent(database: TestDatabase): Promise<number> {
  const [found] = await database.query(`select (${NEWEST_EVENT}) as newest`);
  return Number(found?.newest);
}

async function rowExpressionOf(database: TestDatabase): Promise<string> {
  const generated = await database.query(`
    select column_name as name from information_schema.columns
    where is_generated = 'ALWAYS' and table_schema = 'public'`);
  const names = generated.map(({ name }) => name);
  return `to_jsonb(t) - '{${names.join(",")}}'::text[]`;
}

/** Restores every row but keeps the events. */
export async function restoreSnapshot(database: TestDatabase, { tables }: Snapshot): Promise<void> {
  await database.query("begin");
  for (const table of SAVED.toReversed()) await database.query(`delete from ${table}`);
  for (const table of SAVED) {
    if (tables[table].length > 0) await insertRows(database, table, tables[table]);
  }
  await database.query("commit");
}
