import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { connectionTo } from "../../src/server/embedded-database/open.ts";
import { copyTestTemplate } from "./database.ts";

/** Unset: the stories run on the embedded database. */
export const POSTGRESQL = process.env.TEST_DATABASE_URL;

/** For stories that need a PostgreSQL server; null where none is installed. */
export const SERVER = process.env.TEST_DATABASE_URL ?? process.env.SLOW_DATABASE_URL ?? null;

export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");

/** The server under test trusts everybody; it is there to be looked for in logs. */
export const DATABASE_PASSWORD = "never-to-be-logged";

/** Where the data of one test lives: a directory, or a database of its own on the server under test. */
export interface Place extends AsyncDisposable {
  /** The settings by which a server finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** The temporary directory of this test; DATA_DIR is in it on the embedded database. */
  readonly directory: string;
  /** One statement on a connection of its own. On the embedded database the server must be running. */
  query(sql: string, parameters?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export interface PlaceOptions {
  /** Not even a schema, as at the very first start. Else there may be one. */
  readonly bare?: boolean;
  /** The server to use; null is the embedded database. Default: what the stories run on. */
  readonly server?: string | null;
}

export async function openPlace({ bare = false, server = POSTGRESQL ?? null }: PlaceOptions = {}): Promise<Place> {
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
    // Nothing of it may be used.
    env: { DATABASE_URL: own.href, ENCRYPTION_KEY, DATA_DIR: join(directory, "unused") },
    client: { connectionString: own.href },
  };
}

async function query(config: pg.ClientConfig, sql: string, parameters: readonly unknown[] = []) {
  const client = new pg.Client(config);
  // A broken connection also rejects the query under way.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql, [...parameters]);
    return rows;
  } finally {
    await client.end();
  }
}
