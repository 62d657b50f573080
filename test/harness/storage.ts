import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { connectionTo } from "../../src/server/embedded-database/open.ts";
import { copyTestTemplate } from "./database.ts";

/** The address of a PostgreSQL server, or null: the fast tests of the embedded database, and machines without one. */
export const TEST_SERVER_URL = process.env.TEST_DATABASE_URL ?? process.env.SLOW_DATABASE_URL ?? null;

export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");

/** A password that must not appear in logs; the test server does not check it. */
export const DATABASE_PASSWORD = "never-to-be-logged";

/** Storage of one test: a data directory or a database on the test server. */
export interface TestStorage extends AsyncDisposable {
  /** Server settings for this storage. */
  readonly env: Readonly<Record<string, string>>;
  /** The temporary directory of this test; DATA_DIR is in it on the embedded database. */
  readonly directory: string;
  /** Runs a statement on a new connection; the embedded database needs a running server. */
  query(sql: string, parameters?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export interface TestStorageOptions {
  /** Starts without a schema. */
  readonly bare?: boolean;
  /** The database server, or null for the embedded database. By default TEST_SERVER_URL, which starts in less than half the time. */
  readonly server?: string | null;
}

export async function openTestStorage({
  bare = false,
  server = TEST_SERVER_URL,
}: TestStorageOptions = {}): Promise<TestStorage> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.adopt(await mkdtemp(join(tmpdir(), "host-console-process-")), (made) =>
    rm(made, { recursive: true, force: true }),
  );
  const location = server === null ? await embedded(directory, bare) : await onServer(resources, server, directory);
  const opened = resources.move();
  return {
    env: location.env,
    directory,
    query: (sql, parameters = []) => query(location.client, sql, parameters),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface Location {
  readonly env: Readonly<Record<string, string>>;
  readonly client: pg.ClientConfig;
}

async function embedded(directory: string, bare: boolean): Promise<Location> {
  const dataDir = join(directory, "data");
  if (!bare) await copyTestTemplate(dataDir);
  return {
    env: { DATA_DIR: dataDir, ...(bare ? {} : { ENCRYPTION_KEY }) },
    client: connectionTo(dataDir),
  };
}

async function onServer(resources: AsyncDisposableStack, server: string, directory: string): Promise<Location> {
  const name = `console_process_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await query({ connectionString: server }, `create database ${name}`);
  resources.defer(async () => {
    await query({ connectionString: server }, `drop database if exists ${name} with (force)`);
  });
  const own = new URL(server);
  own.pathname = `/${name}`;
  own.password = DATABASE_PASSWORD;
  return {
    // The directory must stay unused.
    env: { DATABASE_URL: own.href, ENCRYPTION_KEY, DATA_DIR: join(directory, "unused") },
    client: { connectionString: own.href },
  };
}

async function query(config: pg.ClientConfig, sql: string, parameters: readonly unknown[] = []) {
  const client = new pg.Client(config);
  // A broken connection also rejects the running query.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql, [...parameters]);
    return rows;
  } finally {
    await client.end();
  }
}
