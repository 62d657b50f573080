import { createHash, randomBytes } from "node:crypto";
import { constants, existsSync, globSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, mkdtempDisposable, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MikroORM } from "@mikro-orm/postgresql";
import pg from "pg";
import { DATABASE, ENTITIES } from "../../mikro-orm.config.ts";
import { tablesInOrder } from "../../src/server/operations/schema.ts";
import { migrate } from "../../src/server/platform/database/migrate.ts";
import {
  connectionConfig,
  type DatabaseConnection,
} from "../../src/server/platform/database/open.ts";
import {
  type EmbeddedDatabase,
  openEmbeddedDatabase,
} from "../../src/server/platform/embedded-database/open.ts";
import { silentLog } from "./silent-log.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Tables that are never emptied: the only rows of settings, and the newest event. */
const KEPT = ["settings", "reminder_settings", "events"];
/** Only its metadata are read. */
export const schemaOrm = new MikroORM({ entities: ENTITIES, dbName: "none" });
/** Every table that is empty at the start of a test, each after the tables that it refers to. */
export const TABLES = tablesInOrder(schemaOrm).filter((table) => !KEPT.includes(table));
/** SQLSTATE. */
const DEADLOCK = "40P01";
/** Deleting few rows is faster than truncating. */
const CLEAR = [
  ...TABLES.toReversed().map((table) => `delete from ${table}`),
  // The newest event is never removed: a log without it has gone back, which streams are told.
  "delete from events where id < (select max(id) from events)",
  "update events set type = 'cleared', payload = '{}'",
].join(";");
const INSERT_SETTINGS =
  "insert into settings select * from jsonb_populate_record(null::settings, $1)";
/** Off: nobody is reminded in tests of other things. */
const INSERT_REMINDER_SETTINGS = "insert into reminder_settings (id, is_active) values (1, false)";
/** Of many hosts each would be looked for in the tables that refer to it. */
const MANY_HOSTS = 200;
const REMOVE_HOSTS = "truncate hosts, assignments, renewals";

/** The embedded database has one session. */
export const HAS_CONCURRENT_SESSIONS = process.env.TEST_DATABASE_URL !== undefined;

export interface Queryable {
  query(sql: string, parameters?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export interface TestDatabase extends Queryable, AsyncDisposable {
  readonly connection: DatabaseConnection;
  /** Empties every table and keeps the schema. */
  clear(): Promise<void>;
}

/** Inserts one or more rows with the same columns. */
export async function insertRows(
  database: Queryable,
  table: string,
  rows: readonly object[],
): Promise<void> {
  await database.query(insertionOf(table, rows, "$1::jsonb"), [JSON.stringify(rows)]);
}

/** The statement that inserts rows with the same columns; `json` is their expression in SQL. */
export function insertionOf(table: string, [row = {}]: readonly object[], json: string): string {
  const columns = Object.keys(row).join(", ");
  const records = `jsonb_populate_recordset(null::${table}, ${json})`;
  return `insert into ${table} (${columns}) select ${columns} from ${records}`;
}

/**
 * A migrated database of this worker's own: on the server named by TEST_DATABASE_URL, else
 * embedded, copied from a cached template.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  await using resources = new AsyncDisposableStack();
  const url = process.env.TEST_DATABASE_URL;
  const connection: DatabaseConnection =
    url === undefined
      ? { kind: "embedded", ...resources.use(await openEmbeddedTestDatabase()).connection }
      : await openOnServer(resources, url);
  const pool = new pg.Pool({ ...connectionConfig(connection), max: 1 });
  pool.on("error", () => undefined);
  resources.defer(() => pool.end());
  const [initial] = (await pool.query("select to_jsonb(s)::text as settings from settings s")).rows;
  const opened = resources.move();
  return {
    connection,
    async clear() {
      const { rows } = await pool.query("select count(*)::int as hosts from hosts");
      if (rows[0].hosts > MANY_HOSTS) await pool.query(REMOVE_HOSTS);
      await clearTables(pool);
      await pool.query("delete from settings");
      await pool.query(INSERT_SETTINGS, [initial.settings]);
      await pool.query("delete from reminder_settings");
      await pool.query(INSERT_REMINDER_SETTINGS);
    },
    query: async (sql, parameters = []) => (await pool.query(sql, [...parameters])).rows,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/**
 * A migrated, empty embedded database, copied from a cached template. Disposing it deletes the
 * copy.
 */
export async function openEmbeddedTestDatabase(): Promise<EmbeddedDatabase> {
  await using resources = new AsyncDisposableStack();
  const { path: dataDir } = resources.use(
    await mkdtempDisposable(join(tmpdir(), "host-console-db-")),
  );
  await copyTestTemplate(dataDir);
  const database = resources.use(await openEmbeddedDatabase({ dataDir, log: silentLog }));
  const opened = resources.move();
  return { ...database, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Copies a migrated, empty embedded database into a data directory. */
export async function copyTestTemplate(dataDir: string): Promise<void> {
  const template = await ensureTestTemplate();
  await cp(join(template, "pg"), join(dataDir, "pg"), {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
  });
}

/** The template's data directory; concurrent builders all get a complete one. */
async function ensureTestTemplate(): Promise<string> {
  const template = join(ROOT, "node_modules/.cache/host-console", `template-${schemaHash()}`);
  if (existsSync(template)) return template;
  await mkdir(dirname(template), { recursive: true });
  const aside = await mkdtemp(`${template}.building-`);
  try {
    {
      await using database = await openEmbeddedDatabase({ dataDir: aside, log: silentLog });
      const connection = { kind: "embedded", ...database.connection } as const;
      await migrate({ connection, definition: DATABASE, log: silentLog });
    }
    await rename(aside, template);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (!existsSync(template)) throw error;
  }
  return template;
}

async function openOnServer(
  resources: AsyncDisposableStack,
  server: string,
): Promise<DatabaseConnection> {
  const { href: url } = await createDatabase(resources, server);
  const connection: DatabaseConnection = { kind: "server", url };
  await migrate({ connection, definition: DATABASE, log: silentLog });
  return connection;
}

/** A new database on a server, dropped with the stack; returns its address. */
export async function createDatabase(
  resources: AsyncDisposableStack,
  server: string,
  options = "",
): Promise<URL> {
  const name = `console_test_${process.pid}_${randomBytes(4).toString("hex")}`;
  const connection = { connectionString: server };
  await query({ connection }, `create database ${name} ${options}`);
  resources.defer(async () => {
    await query({ connection }, `drop database if exists ${name} with (force)`);
  });
  const own = new URL(server);
  own.pathname = `/${name}`;
  return own;
}

/** Runs one statement on a connection of its own. */
export async function query(
  { connection }: { readonly connection: pg.ClientConfig },
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  // A broken connection also rejects the running query.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, [...parameters])).rows;
  } finally {
    await client.end();
  }
}

/** The template depends on the migrations and the database engine. */
function schemaHash(): string {
  const hash = createHash("sha256");
  const migrations = globSync("src/server/platform/database/migrations/*.ts", { cwd: ROOT });
  for (const file of [...migrations.sort(), "package-lock.json"]) {
    hash.update(readFileSync(join(ROOT, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

const MAX_CLEARINGS = 5;

/** Again when a job that still ends has locked the tables in another order. */
async function clearTables(pool: pg.Pool): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await pool.query(CLEAR);
      return;
    } catch (error) {
      const isDeadlock = error instanceof pg.DatabaseError && error.code === DEADLOCK;
      if (!isDeadlock || attempts === MAX_CLEARINGS) throw error;
    }
  }
}
