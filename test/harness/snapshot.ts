import pg from "pg";
import { z } from "zod";
import { insertionOf, TABLES, type TestDatabase } from "./database.ts";

/** The clean-up writes its own table whenever it runs. */
const SAVED = [...TABLES.filter((table) => table !== "clean_up"), "settings", "reminder_settings"];
const Row = z.record(z.string(), z.unknown());
const Tables = z.record(z.string(), z.array(Row));
const NEWEST_EVENT = "select coalesce(max(id), 0)::int from events";

/** For what calls change: that they are recorded is no change by them. */
export const WITHOUT_AUDIT = SAVED.filter((table) => table !== "audit_entries");

/** All rows of tables without generated columns, and the newest event id. */
export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

/**
 * The expression for a row without generated columns; the catalogue is slow to read, so once for a
 * database.
 */
const rowExpressions = new WeakMap<TestDatabase, string>();

export async function takeSnapshot(database: TestDatabase, tables: readonly string[] = SAVED) {
  const row = rowExpressions.get(database) ?? (await rowExpressionOf(database));
  rowExpressions.set(database, row);
  const parts = tables.map(
    (table) =>
      `'${table}', (select coalesce(jsonb_agg(${row} order by to_jsonb(t)::text), '[]') from ${table} t)`,
  );
  const [found] = await database.query(`
    select jsonb_build_object(${parts.join(", ")}) as tables, (${NEWEST_EVENT}) as newest`);
  return { tables: Tables.parse(found?.tables), newestEvent: Number(found?.newest) };
}

export function rowsOf({ tables }: Pick<Snapshot, "tables">, table: string) {
  const rows = tables[table];
  if (rows === undefined) throw new Error(`a snapshot has no ${table}`);
  return rows;
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

/**
 * Restores every row but keeps the events. In one message, which is one transaction: sixty would take
 * most of the time.
 */
export async function restoreSnapshot(database: TestDatabase, { tables }: Snapshot): Promise<void> {
  const deletions = SAVED.toReversed().map((table) => `delete from ${table}`);
  const insertions = SAVED.flatMap((table) => {
    const rows = rowsOf({ tables }, table);
    const json = pg.escapeLiteral(JSON.stringify(rows));
    return rows.length === 0 ? [] : [insertionOf(table, rows, `${json}::jsonb`)];
  });
  await database.query([...deletions, ...insertions].join(";"));
}
