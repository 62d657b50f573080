import type { EntityMetadata, MikroORM } from "@mikro-orm/postgresql";
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { MIGRATIONS } from "../database/entities.ts";

/** Tables that backups leave out, each with the reason. */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  sessions: "A session that was ended after the backup would be valid again.",
  login_failures: "Counters of an hour at most.",
  known_addresses: "Personal data that the next sign-in writes again.",
  events: "A client that saw later events would take older rows for their continuation. It refetches instead.",
};

export interface BackupTable {
  readonly name: string;
  /** The column that refers to another row of the same table. */
  readonly parentColumn: string | undefined;
  /** Columns that the database computes. */
  readonly generated: readonly string[];
}

/** The tables of a backup; each comes after the tables that it refers to. */
export function backupTables(orm: MikroORM): BackupTable[] {
  const sorted = new Map<string, EntityMetadata>();
  const add = (meta: EntityMetadata): void => {
    for (const { targetMeta } of meta.relations) if (targetMeta && !isSame(targetMeta, meta)) add(targetMeta);
    sorted.set(meta.tableName, meta);
  };
  for (const meta of orm.getMetadata().getAll().values()) add(meta);
  return [...sorted.values()]
    .filter(({ tableName }) => !(tableName in EXCLUDED_TABLES))
    .map((meta) => ({
      name: meta.tableName,
      parentColumn: meta.relations.find(({ targetMeta }) => targetMeta && isSame(targetMeta, meta))?.fieldNames[0],
      generated: meta.props.filter((prop) => prop.generated).flatMap(({ fieldNames }) => fieldNames),
    }));
}

/** A relation may hold another object for the same entity. */
function isSame(one: EntityMetadata, other: EntityMetadata): boolean {
  return one.tableName === other.tableName;
}

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
