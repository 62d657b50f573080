import { type QueryExecutorProvider, sql } from "kysely";
import { reasonOf, StartError } from "../core/errors.ts";
import { MIGRATIONS } from "./entities.ts";
import { MIGRATIONS_TABLE, type OrmOptions, openOrm } from "./open.ts";
import { ADVISORY_LOCKS } from "./sql.ts";

type MigrateOptions = Pick<OrmOptions, "connection" | "log" | "migrations">;

/** Runs the migrations that are missing, without a time limit. One process migrates, the others wait. Throws StartError. */
export async function migrate({ connection, log, migrations = MIGRATIONS }: MigrateOptions): Promise<void> {
  const orm = await openOrm({ connection, log, migrations, isCommand: true });
  const db = orm.em.fork().getKysely();
  try {
    // Its only connection holds the lock until it is closed. The embedded database has no other process.
    const isShared = connection.kind === "server";
    const lock = isShared ? sql`select pg_advisory_lock(${ADVISORY_LOCKS.migration})` : sql`select`;
    await lock.execute(db).catch((cause: unknown) => {
      throw new StartError(`DATABASE_URL: the database cannot be reached (${reasonOf(cause)})`, { cause });
    });
    const done = await readSchema(db);
    const known = migrations.map(({ name }) => name);
    const unknown = done.filter((name) => !known.includes(name));
    // Not refused: while replicas are upgraded one by one, an old one may restart.
    if (unknown.length > 0) log.warn({ migrations: unknown }, "the database belongs to a newer version");
    // The migrator is slow, and nearly every start finds nothing to do.
    if (!known.every((name) => done.includes(name))) await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}

/** Names of the executed migrations, in order. Empty for a database that this program did not make. */
export async function readSchema(db: QueryExecutorProvider): Promise<string[]> {
  const { rows: found } = await sql`select where to_regclass(${MIGRATIONS_TABLE}) is not null`.execute(db);
  if (found.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS_TABLE)} order by id`.execute(db);
  return rows.map(({ name }) => name);
}
