import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  connectionConfig,
  type DatabaseConnection,
} from "../../src/server/platform/database/open.ts";
import { connectionTo } from "../../src/server/platform/embedded-database/open.ts";
import { copyTestTemplate, createDatabase, query } from "./database.ts";

/**
 * The address of a PostgreSQL server, or null: the fast tests of the embedded database, and
 * machines without one.
 */
export const TEST_SERVER_URL =
  process.env.TEST_DATABASE_URL ?? process.env.SLOW_DATABASE_URL ?? null;

export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");

/** A password that must not appear in logs; the test server does not check it. */
export const DATABASE_PASSWORD = "never-to-be-logged";

/**
 * Storage of one test: a data directory, whose queries need a running server, or a database on the
 * test server. Each query has a connection of its own.
 */
export type TestStorage = Awaited<ReturnType<typeof openTestStorage>>;

export interface TestStorageOptions {
  /** Starts without a schema. */
  readonly bare?: boolean;
  /**
   * The database server, or null for the embedded database. By default TEST_SERVER_URL, which
   * starts in less than half the time.
   */
  readonly server?: string | null;
}

interface Location {
  readonly env: Readonly<Record<string, string>>;
  readonly connection: DatabaseConnection;
}

export async function openTestStorage({
  bare = false,
  server = TEST_SERVER_URL,
}: TestStorageOptions = {}) {
  await using resources = new AsyncDisposableStack();
  const { path: directory } = resources.use(
    await mkdtempDisposable(join(tmpdir(), "host-console-process-")),
  );
  const location =
    server === null
      ? await embedded(directory, bare)
      : await onServer(resources, server, directory);
  const opened = resources.move();
  return {
    /** Server settings for this storage. */
    env: location.env,
    /** The temporary directory of this test; DATA_DIR is in it on the embedded database. */
    directory,
    connection: location.connection,
    query: (sql: string, parameters?: readonly unknown[]) =>
      query({ connection: connectionConfig(location.connection) }, sql, parameters),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function embedded(directory: string, bare: boolean): Promise<Location> {
  const dataDir = join(directory, "data");
  if (!bare) await copyTestTemplate(dataDir);
  const env = { DATA_DIR: dataDir, ...(bare ? {} : { ENCRYPTION_KEY }) };
  return { env, connection: { kind: "embedded", ...connectionTo(dataDir) } };
}

async function onServer(
  resources: AsyncDisposableStack,
  server: string,
  directory: string,
): Promise<Location> {
  const url = await createDatabase(resources, server);
  url.password = DATABASE_PASSWORD;
  // The directory must stay unused.
  const env = { DATABASE_URL: url.href, ENCRYPTION_KEY, DATA_DIR: join(directory, "unused") };
  return { env, connection: { kind: "server", url: url.href } };
}
