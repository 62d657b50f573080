import type { MikroORM } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { Pool } from "pg";
import type { Config } from "./config/config.ts";
import type { Log } from "./core/log.ts";
import { migrate } from "./database/migrate.ts";
import { closeOrm, type DatabaseConnection, openOrm } from "./database/open.ts";
import { openEmbeddedDatabase } from "./embedded-database/open.ts";

const READINESS_TIMEOUT_MS = 2_000;

/** The migrated database and its ORM. Disposing it closes both. */
export interface Storage extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  readonly orm: MikroORM;
  /** The connections of the ORM, which the job queue shares. */
  readonly pool: Pool;
  /** Resolves when the embedded database failed. */
  readonly failed: Promise<Error>;
}

export interface StorageOptions {
  readonly log: Log;
  /** Stops the creation of a new embedded database. */
  readonly signal?: AbortSignal;
  /** A database that is open already, instead of the configured one. */
  readonly connection?: DatabaseConnection;
}

/** Opens and migrates the database. Throws StartError when its settings or its data directory are at fault. */
export async function openStorage(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  { log, signal, ...options }: StorageOptions,
): Promise<Storage> {
  await using resources = new AsyncDisposableStack();
  const database = options.connection ? serving(options.connection) : await openDatabase(config, log, signal);
  resources.use(database);
  const { connection, failed } = database;
  await migrate({ connection, log });
  const orm = resources.adopt(await openOrm({ connection, log }), closeOrm);
  const pool = await orm.driver.getConnection().getNativeClient();
  const opened = resources.move();
  return { connection, orm, pool, failed, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Whether the database answers in time and accepts writes. */
export async function isWritable(orm: MikroORM): Promise<boolean> {
  const answer = sql<{ isReadOnly: boolean }>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"
  `.execute(orm.em.fork().getKysely());
  const timeout = new Promise<{ rows: [] }>((resolve) =>
    setTimeout(resolve, READINESS_TIMEOUT_MS, { rows: [] }).unref(),
  );
  const { rows } = await Promise.race([answer, timeout]).catch(() => ({ rows: [] }));
  return rows[0]?.isReadOnly === false;
}

async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  log: Log,
  signal?: AbortSignal,
) {
  if (databaseUrl !== null) return serving({ kind: "server", url: databaseUrl });
  const embedded = await openEmbeddedDatabase({ dataDir, log, ...(signal && { signal }) });
  const connection: DatabaseConnection = { kind: "embedded", ...embedded.connection };
  return { ...embedded, connection };
}

/** A database that another process runs. */
function serving(connection: DatabaseConnection) {
  return {
    connection,
    failed: new Promise<Error>(() => undefined),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
