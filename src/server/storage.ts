import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Pool } from "pg";
import type { Config } from "./config/config.ts";
import type { Log } from "./core/log.ts";
import { migrate } from "./database/migrate.ts";
import { closeOrm, type DatabaseConnection, openOrm } from "./database/open.ts";
import { openEmbeddedDatabase } from "./embedded-database/open.ts";

const READINESS_TIMEOUT_MS = 2_000;

export interface Storage extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  readonly orm: MikroORM;
  readonly pool: Pool;
  readonly failed: Promise<Error>;
}

export interface StorageOptions {
  readonly log: Log;
  readonly signal?: AbortSignal;
  readonly connection?: DatabaseConnection;
}

/** Opens and migrates the database. Throws StartError when its settings or its data directory are at fault. */
export async function openStorage(
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  { log, signal, connection: given }: StorageOptions,
): Promise<Storage> {
  await using resources = new AsyncDisposableStack();
  let connection = given ?? (databaseUrl === null ? undefined : { kind: "server" as const, url: databaseUrl });
  let failed = new Promise<Error>(() => undefined);
  if (connection === undefined) {
    const embedded = resources.use(await openEmbeddedDatabase({ dataDir, log, signal }));
    connection = { kind: "embedded", ...embedded.connection };
    failed = embedded.failed;
  }
  await migrate({ connection, log });
  const orm = await openOrm({ connection, log });
  resources.defer(() => closeOrm(orm));
  const pool = await orm.driver.getConnection().getNativeClient();
  const opened = resources.move();
  return { connection, orm, pool, failed, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Whether the database answers in time and accepts writes. A connection that a failover left read-only leaves the pool. */
export async function isWritable(pool: Pool): Promise<boolean> {
  const answer = pool.query("select from schema_migrations where false for update").then(
    () => true,
    () => false,
  );
  return await Promise.race([answer, sleep(READINESS_TIMEOUT_MS, false, { ref: false })]);
}
