import type { MikroORM } from "@mikro-orm/postgresql";
import type { Pool } from "pg";
import { DATABASE } from "../../mikro-orm.config.ts";
import { checkConnections } from "./platform/database/check-connections.ts";
import { ConnectionWatch } from "./platform/database/connection-watch.ts";
import { migrate } from "./platform/database/migrate.ts";
import {
  ANSWER_LIMIT_MS,
  closeOrm,
  type DatabaseConnection,
  openOrm,
} from "./platform/database/open.ts";
import type { DatabaseTarget } from "./platform/database/open-connection.ts";
import { openReadiness, type Readiness } from "./platform/database/readiness.ts";
import { openEmbeddedDatabase } from "./platform/embedded-database/open.ts";
import type { Log } from "./platform/log.ts";

export interface Storage extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  readonly orm: MikroORM;
  readonly pool: Pool;
  readonly readiness: Readiness;
  /** Of the pool; null for the embedded database, which cannot fail over. */
  readonly connections: ConnectionWatch | null;
  /** Resolves when the embedded database has failed; never with a server. */
  readonly failed: Promise<Error>;
}

export interface StorageOptions {
  readonly log: Log;
  readonly signal?: AbortSignal;
  /** A database that is open already, in tests. */
  readonly connection?: DatabaseConnection;
  /** How long a call waits for one answer, by default 18 s. Tests wait longer, or not so long. */
  readonly answerLimitMs?: number;
}

/**
 * Opens and migrates the database. Throws StartError when its settings or its data directory are at
 * fault.
 */
export async function openStorage(
  target: DatabaseTarget,
  options: StorageOptions,
): Promise<Storage> {
  const { log, signal, answerLimitMs = ANSWER_LIMIT_MS } = options;
  await using resources = new AsyncDisposableStack();

  const { connection, failed } = resources.use(await openDatabase(target, options));
  await migrate({ connection, definition: DATABASE, log, signal });

  const isServer = connection.kind === "server";
  const connections = isServer ? new ConnectionWatch({ answerLimitMs, log }) : null;
  const orm = await openOrm({
    connection,
    definition: DATABASE,
    log,
    answerLimitMs,
    watch: connections,
  });
  resources.defer(() => closeOrm(orm));

  const pool = await orm.driver.getConnection().getNativeClient();
  connections?.watch(pool);
  const readiness = resources.use(
    openReadiness({
      connection,
      onRecovered: () => connections?.renew(),
      onError: (error) => log.debug({ err: error }, "the connection of the readiness check ended"),
    }),
  );
  if (isServer) await checkConnections({ pool, readiness, log });

  const opened = resources.move();
  return {
    connection,
    orm,
    pool,
    readiness,
    connections,
    failed,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface OpenDatabase extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  readonly failed: Promise<Error>;
}

/** The given one, that of the server, or the embedded one, which is started. */
async function openDatabase(
  { databaseUrl, dataDir }: DatabaseTarget,
  { connection, log, signal }: StorageOptions,
): Promise<OpenDatabase> {
  if (connection !== undefined) return openElsewhere(connection);
  if (databaseUrl !== null) return openElsewhere({ kind: "server", url: databaseUrl });

  const embedded = await openEmbeddedDatabase({ dataDir, log, signal });
  return {
    connection: { kind: "embedded", ...embedded.connection },
    failed: embedded.failed,
    [Symbol.asyncDispose]: () => embedded[Symbol.asyncDispose](),
  };
}

/** Somebody else runs it: it is neither watched nor stopped here. */
function openElsewhere(connection: DatabaseConnection): OpenDatabase {
  return {
    connection,
    failed: new Promise<Error>(() => undefined),
    async [Symbol.asyncDispose]() {},
  };
}
