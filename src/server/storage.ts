import type { MikroORM } from "@mikro-orm/postgresql";
import type { Pool } from "pg";
import { DATABASE } from "../../mikro-orm.config.ts";
import { migrate } from "./platform/database/migrate.ts";
import { closeOrm, type DatabaseConnection, openOrm } from "./platform/database/open.ts";
import { openReadiness, type Readiness } from "./platform/database/readiness.ts";
import { openEmbeddedDatabase } from "./platform/embedded-database/open.ts";
import type { Config } from "./platform/environment/config.ts";
import type { Log } from "./platform/log.ts";

export interface Storage extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  readonly orm: MikroORM;
  readonly pool: Pool;
  readonly readiness: Readiness;
  readonly failed: Promise<Error>;
}

export interface StorageOptions {
  readonly log: Log;
  readonly signal?: AbortSignal;
  readonly connection?: DatabaseConnection;
  readonly queryTimeoutMs?: number;
}

/**
 * Opens and migrates the database. Throws StartError when its settings or its data directory are at
 * fault.
 */
export async function openStorage(
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  { log, signal, connection: given, queryTimeoutMs }: StorageOptions,
): Promise<Storage> {
  await using resources = new AsyncDisposableStack();
  let connection =
    given ?? (databaseUrl === null ? undefined : { kind: "server" as const, url: databaseUrl });
  let failed = new Promise<Error>(() => undefined);
  if (connection === undefined) {
    const embedded = resources.use(await openEmbeddedDatabase({ dataDir, log, signal }));
    connection = { kind: "embedded", ...embedded.connection };
    failed = embedded.failed;
  }
  await migrate({ connection, definition: DATABASE, log, signal });
  const orm = await openOrm({ connection, definition: DATABASE, log, queryTimeoutMs });
  resources.defer(() => closeOrm(orm));
  const pool = await orm.driver.getConnection().getNativeClient();
  const onError = (error: Error) =>
    log.debug({ err: error }, "the connection of the readiness check ended");
  const readiness = resources.use(openReadiness({ connection, pool, onError }));
  const opened = resources.move();
  return {
    connection,
    orm,
    pool,
    readiness,
    failed,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
