import { z } from "zod";
import { insertRows, TABLES, type TestDatabase } from "./database.ts";

const SAVED = [...TABLES, "settings"] as const;
const Row = z.record(z.string(), z.unknown());
const Tables = z.record(z.enum(SAVED), z.array(Row));

/** All rows without generated columns, and the newest event id. */
export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

export async function takeSnapshot(database: TestDatabase) {
  const computed = await database.query(
    "select column_name as name from information_schema.columns where is_generated = 'ALWAYS' and table_schema = 'public'",
  );
  const row = `to_jsonb(t) - '{${computed.map(({ name }) => name).join(",")}}'::text[]`;
  const parts = SAVED.map(
    (table) =>
      `'${table}', (select coalesce(jsonb_agg(${row} order by to_jsonb(t)::text), '[]') from ${table} t)`,
  );
  const [found] = await database.query(
    `select jsonb_build_object(${parts.join(", ")}) as tables, (select coalesce(max(id), 0)::int from events) as newest`,
  );
  return { tables: Tables.parse(found?.tables), newestEvent: Number(found?.newest) };
}

/** Restores every row but keeps the events. */
export async function restoreSnapshot(database: TestDatabase, { tables }: Snapshot): Promise<void> {
  await database.query("begin");
  for (const table of SAVED.toReversed()) await database.query(`delete from ${table}`);
  for (const table of SAVED)
    if (tables[table].length > 0) await insertRows(database, table, tables[table]);
  await database.query("commit");
}
