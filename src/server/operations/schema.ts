import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { MIGRATIONS } from "../database/entities.ts";

/**
 * The tables of a backup; each comes after the tables that it refers to. Left out: `sessions` (ended ones would be valid again),
 * `login_failures` and `known_addresses` (short-lived, personal), `events` (clients refetch).
 */
export const BACKUP_TABLES = [
  "users",
  "settings",
  "configs",
  "hosts",
  "assignments",
  "renewals",
  "sync_runs",
  "sync_partitions",
];

/** Names of the executed migrations, in order. Empty for a database that this program did not make. */
export async function readSchema(db: QueryExecutorProvider): Promise<string[]> {
  if (!(await hasTable(db, "schema_migrations"))) return [];
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by id`.execute(db);
  return rows.map(({ name }) => name);
}

/** Whether this program knows all migrations of a database. */
export function isKnownSchema(schema: readonly string[]): boolean {
  return schema.every((name, index) => MIGRATIONS[index]?.name === name);
}

export async function hasTable(db: QueryExecutorProvider, table: string): Promise<boolean> {
  return (await readNumber(db, sql`select count(to_regclass(${table})) as n`)) === 1;
}

export function countRows(db: QueryExecutorProvider, table: string): Promise<number> {
  return readNumber(db, sql`select count(*) as n from ${sql.table(table)}`);
}

/** The highest event id ever given out. */
export function readEventPosition(db: QueryExecutorProvider): Promise<number> {
  return readNumber(db, sql`select last_value as n from events_id_seq`);
}

/** The value `n` of a query's only row. */
export async function readNumber(db: QueryExecutorProvider, query: RawBuilder<{ n: number }>): Promise<number> {
  return (await query.execute(db)).rows[0]?.n ?? 0;
}
