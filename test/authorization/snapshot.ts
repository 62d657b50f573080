import { z } from "zod";
import type { TestDatabase } from "../harness/database.ts";

/** Tables that calls can change, in order of their foreign keys. */
const TABLES = [
  "users",
  "login_failures",
  "sessions",
  "settings",
  "configs",
  "hosts",
  "sync_partitions",
  "sync_runs",
  "assignments",
  "renewals",
] as const;
type Table = (typeof TABLES)[number];

const Row = z.record(z.string(), z.unknown());
type Row = z.infer<typeof Row>;
const Rows = z.array(Row);

/** All rows without generated columns, and the newest event id. */
export interface Snapshot {
  readonly tables: Readonly<Record<Table, readonly Row[]>>;
  readonly newestEvent: number;
}

export async function takeSnapshot(database: TestDatabase): Promise<Snapshot> {
  const computed = await database.query(
    "select column_name as name from information_schema.columns where is_generated = 'ALWAYS' and table_schema = 'public'",
  );
  const row = `to_jsonb(t) - '{${computed.map(({ name }) => name).join(",")}}'::text[]`;
  const parts = TABLES.map(
    (table) => `'${table}', (select coalesce(jsonb_agg(${row} order by to_jsonb(t)::text), '[]') from ${table} t)`,
  );
  const [found] = await database.query(
    `select jsonb_build_object(${parts.join(", ")}) as tables, (select coalesce(max(id), 0)::int from events) as newest`,
  );
  const tables = z.record(z.enum(TABLES), Rows).parse(found?.tables);
  return { tables, newestEvent: Number(found?.newest) };
}

/** Restores every row but keeps the events. */
export async function restoreSnapshot(database: TestDatabase, { tables }: Snapshot): Promise<void> {
  await database.query("begin");
  for (const table of TABLES.toReversed()) await database.query(`delete from ${table}`);
  for (const table of TABLES) {
    const [first] = tables[table];
    if (first === undefined) continue;
    const columns = Object.keys(first).join(", ");
    await database.query(
      `insert into ${table} (${columns})
       select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [JSON.stringify(tables[table])],
    );
  }
  await database.query("commit");
}

/** Changes except session use and the cleanup of expired sessions. */
export function effectsIn({ tables, newestEvent }: Snapshot, isDead: (session: Row) => boolean) {
  const sessions = tables.sessions.filter((session) => !isDead(session)).map(({ last_used_at: _, ...row }) => row);
  return { ...tables, sessions, newestEvent };
}
