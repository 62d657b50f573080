import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { type QueryExecutorProvider, sql } from "kysely";
import { reasonOf, StartError } from "../errors.ts";
import type { Log } from "../log.ts";
import { MIGRATIONS_TABLE, type OrmOptions, openOrm } from "./open.ts";
import { ADVISORY_LOCKS } from "./sql.ts";

/** How long a migration waits for a lock before it lets those behind it pass. */
const LOCK_TIMEOUT_MS = 1_000;
const RETRY_DELAY_MS = 2_000;
/** One line for so many attempts, about every half minute. */
const ATTEMPTS_PER_LINE = 10;
/** SQLSTATE of a lock that was not available in time, and of a deadlock. */
const LOCK_FAILURES = new Set(["55P03", "40P01"]);

interface MigrateOptions extends Pick<OrmOptions, "connection" | "definition" | "log"> {
  /** Ends the wait for a lock when the process is to stop. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the migrations that are missing, each in a transaction of its own. One process migrates, the
 * others wait. Throws StartError.
 *
 * A change of a table needs a lock that excludes every reader, and waits for the longest
 * transaction that uses the table, such as a backup. Whoever wants the table meanwhile waits behind
 * the change, so without a limit the replicas of the old version would answer nothing until the
 * backup ends. Therefore a migration waits for a lock for a second only, gives up what it did, lets
 * the others pass for twice that time and begins again, for as long as it takes.
 */
export async function migrate({
  connection,
  definition,
  log,
  signal,
}: MigrateOptions): Promise<void> {
  const orm = await openOrm({ connection, definition, log, isCommand: true });
  const db = orm.em.fork().getKysely();
  try {
    // The embedded database has no other process.
    if (connection.kind === "server") await waitForTurn(db);

    const done = await readSchema(db);
    const known = definition.migrations.map(({ name }) => name);
    const unknown = done.filter((name) => !known.includes(name));
    // Not refused: while replicas are upgraded one by one, an old one may restart.
    if (unknown.length > 0) {
      log.warn({ migrations: unknown }, "the database belongs to a newer version");
    }

    // The migrator is slow, and nearly every start finds nothing to do.
    const missing = known.filter((name) => !done.includes(name));
    if (missing.length === 0) return;

    // After the advisory lock, for which a process waits as long as another one migrates.
    await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db);
    for (const name of missing) await runMigration(orm, name, log, signal);
  } finally {
    await orm.close(true);
  }
}

/** The lock lasts until the only connection of `db` is closed. */
async function waitForTurn(db: QueryExecutorProvider): Promise<void> {
  try {
    await sql`select pg_advisory_lock(${ADVISORY_LOCKS.migration})`.execute(db);
  } catch (cause) {
    const message = `DATABASE_URL: the database cannot be reached (${reasonOf(cause)})`;
    throw new StartError(message, { cause });
  }
}

async function runMigration(
  orm: MikroORM,
  name: string,
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await orm.migrator.up({ migrations: [name] });
      return;
    } catch (error) {
      const isLocked =
        error instanceof Error && "code" in error && LOCK_FAILURES.has(String(error.code));
      if (!isLocked) throw error;

      if (attempts % ATTEMPTS_PER_LINE === 1) {
        log.warn({ migration: name, attempts }, "a migration waits for a lock that others hold");
      }
      await sleep(RETRY_DELAY_MS, undefined, { signal });
    }
  }
}

/**
 * Names of the executed migrations, in order. Empty for a database that this program did not make.
 */
export async function readSchema(db: QueryExecutorProvider): Promise<string[]> {
  const { rows: found } = await sql`
    select where to_regclass(${MIGRATIONS_TABLE}) is not null
  `.execute(db);
  if (found.length === 0) return [];

  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(MIGRATIONS_TABLE)} order by id
  `.execute(db);
  return rows.map(({ name }) => name);
}
