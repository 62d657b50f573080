import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { type QueryExecutorProvider, sql } from "kysely";
import type { Log } from "../log.ts";
import { checkServer } from "./check-server.ts";
import { type DatabaseDefinition, MIGRATIONS_TABLE, type OrmOptions, openOrm } from "./open.ts";
import { ADVISORY_LOCKS } from "./sql.ts";

/** How long a migration waits for a lock before it lets those behind it pass. */
const LOCK_TIMEOUT_MS = 1_000;
/** After a migration that did not get its locks. */
const LOCK_RETRY_MS = 2_000;
/** While another process migrates. */
const TURN_POLL_MS = 500;
/** A wait says so at its start, and again after so long. */
const LINE_INTERVAL_MS = 30_000;
/** SQLSTATE of a lock that was not available in time, and of a deadlock. */
const LOCK_FAILURES = ["55P03", "40P01"];
/** SQLSTATE of what two processes have when both make the same table. */
const MADE_MEANWHILE = ["23505", "42P07", "42710"];

interface MigrateOptions extends Pick<OrmOptions, "connection" | "definition" | "log"> {
  /** Ends the wait for a lock when the process is to stop. */
  readonly signal?: AbortSignal | undefined;
}

/** What one transaction came to. */
type Step =
  | { readonly kind: "complete" }
  | { readonly kind: "migrated" }
  /** Null when the other one was done before its name could be read. */
  | { readonly kind: "waits-for-turn"; readonly holder: Holder | null }
  | { readonly kind: "waits-for-lock"; readonly migration: string };

/** The connection of the process that migrates. */
interface Holder {
  readonly pid: number;
  readonly application: string;
  readonly address: string | null;
}

/**
 * Runs the migrations that are missing, each in a transaction of its own. One process migrates at a
 * time, the others wait. Throws StartError.
 *
 * A change of a table needs a lock that excludes every reader, and waits for the longest
 * transaction that uses the table, such as a backup. Whoever wants the table meanwhile waits behind
 * the change, so without a limit the replicas of the old version would answer nothing until the
 * backup ends. Therefore a migration waits for a lock for a second only, gives up what it did, lets
 * the others pass for twice that time and begins again, for as long as it takes.
 *
 * Nothing here belongs to a session. Whoever migrates holds the advisory lock in the transaction
 * itself, and the limits are set for it alone, because a pooler may give each transaction another
 * session, and keep one that still holds a lock. Whoever waits asks again and again, because the
 * database may limit how long a statement takes.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { connection, definition, log, signal } = options;
  const orm = await openOrm({ connection, definition, log, isCommand: true });
  try {
    const db = orm.em.fork().getKysely();
    if (connection.kind === "server") await checkServer(db);
    const lines = new WaitLines(log);
    let isPrepared = false;
    for (;;) {
      // Nearly every start finds nothing to do, and the migrator is slow.
      const isNeeded = firstMissing(await readSchema(db), definition) !== null;
      if (isNeeded && !isPrepared) await prepareMigrator(orm);
      isPrepared ||= isNeeded;

      const step = await tryNext(orm, options);
      switch (step.kind) {
        case "complete":
          return;

        case "migrated":
          break;

        case "waits-for-turn":
          lines.write({ ...step.holder }, "another process migrates the database: waiting for it");
          await sleep(TURN_POLL_MS, undefined, { signal });
          break;

        case "waits-for-lock":
          lines.write(
            { migration: step.migration },
            "a migration waits for a lock that others hold",
          );
          await sleep(LOCK_RETRY_MS, undefined, { signal });
          break;
      }
    }
  } finally {
    await orm.close(true);
  }
}

/** One line for a wait of less than half a minute, then one each half minute. */
class WaitLines {
  readonly #log: Log;
  readonly #writtenAt = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  write(fields: object, message: string): void {
    const now = performance.now();
    const writtenAt = this.#writtenAt.get(message) ?? Number.NEGATIVE_INFINITY;
    if (now - writtenAt < LINE_INTERVAL_MS) return;

    this.#writtenAt.set(message, now);
    this.#log.warn(fields, message);
  }
}

/** Runs the first migration that is missing, if it is this process's turn. */
async function tryNext(
  orm: MikroORM,
  { definition, log }: Pick<MigrateOptions, "definition" | "log">,
): Promise<Step> {
  // The migrator needs savepoints, which only a controlled transaction has.
  const transaction = await orm.em.fork().getKysely().startTransaction().execute();
  let migration: string | null = null;
  try {
    if (!(await takeTurn(transaction))) {
      const holder = await findHolder(transaction);
      await transaction.rollback().execute();
      return { kind: "waits-for-turn", holder };
    }

    const done = await readSchema(transaction);
    migration = firstMissing(done, definition);
    if (migration === null) warnOfNewerVersion(done, definition, log);
    else await runMigration(orm, transaction, migration);

    await transaction.commit().execute();
    return { kind: migration === null ? "complete" : "migrated" };
  } catch (error) {
    // It fails where the connection is gone, which the error says already.
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    if (migration !== null && hasCode(error, LOCK_FAILURES)) {
      return { kind: "waits-for-lock", migration };
    }
    throw error;
  }
}

function firstMissing(done: readonly string[], { migrations }: DatabaseDefinition): string | null {
  return migrations.find(({ name }) => !done.includes(name))?.name ?? null;
}

/** Until the end of the transaction. */
async function takeTurn(transaction: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.migration}) as "isMine"
  `.execute(transaction);
  return rows[0]?.isMine ?? false;
}

/** Of a holder that is another user's the database may show no address. */
async function findHolder(db: QueryExecutorProvider): Promise<Holder | null> {
  const { rows } = await sql<Holder>`
    select a.pid, a.application_name as application, host(a.client_addr) as address
    from pg_locks l
    join pg_stat_activity a on a.pid = l.pid
    join pg_database d on d.oid = l.database
    where l.locktype = 'advisory'
      and l.granted
      and d.datname = current_database()
      and l.classid = 0
      and l.objid = ${ADVISORY_LOCKS.migration}
      and l.objsubid = 1
  `.execute(db);
  return rows[0] ?? null;
}

async function runMigration(
  orm: MikroORM,
  transaction: QueryExecutorProvider,
  name: string,
): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
  await orm.migrator.up({ migrations: [name], transaction });
}

/** Not refused: while replicas are upgraded one by one, an old one may restart. */
function warnOfNewerVersion(
  done: readonly string[],
  { migrations }: DatabaseDefinition,
  log: Log,
): void {
  const known = migrations.map(({ name }) => name);
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;

  log.warn({ migrations: unknown }, "the database belongs to a newer version");
}

/**
 * The migrator makes its table on a connection of its own, and there is one: before any
 * transaction.
 */
async function prepareMigrator(orm: MikroORM): Promise<void> {
  try {
    await orm.migrator.getExecuted();
  } catch (error) {
    // Of two first starts, one finds that the other has just made the table.
    if (!hasCode(error, MADE_MEANWHILE)) throw error;
    await orm.migrator.getExecuted();
  }
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
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
