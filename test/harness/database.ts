import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createLog } from "../../src/server/core/log.ts";
import { ENTITIES, MIGRATIONS } from "../../src/server/database/entities.ts";
import { connectionConfig, type DatabaseConnection, migrate } from "../../src/server/database/open.ts";
import type { EmbeddedDatabase } from "../../src/server/embedded-database/open.ts";
import { ensureTemplate, openFromTemplate, type TemplateOptions } from "../../src/server/embedded-database/template.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Referring tables before those that they refer to. */
const TABLES = [
  "events",
  "renewals",
  "assignments",
  "sync_runs",
  "sync_partitions",
  "hosts",
  "configs",
  "sessions",
  "login_failures",
  "users",
];
const silent = createLog({ level: "silent", pretty: false });

/** Asks on one connection, question after question. */
export interface Queryable {
  query(sql: string, parameters?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export interface TestDatabase extends Queryable, AsyncDisposable {
  readonly connection: DatabaseConnection;
  /** Leaves the schema and empties every table. */
  clear(): Promise<void>;
}

/** A migrated database of this worker's own: on the server named by TEST_DATABASE_URL, else embedded, copied from a cached template. */
export async function openTestDatabase(): Promise<TestDatabase> {
  await using resources = new AsyncDisposableStack();
  const url = process.env.TEST_DATABASE_URL;
  const connection = url === undefined ? await openEmbedded(resources) : await openOnServer(resources, url);
  const pool = new pg.Pool({ ...connectionConfig(connection), max: 1 });
  pool.on("error", () => undefined);
  resources.defer(() => pool.end());
  const opened = resources.move();
  return {
    connection,
    async clear() {
      // Few rows in many tables: deleting them is far quicker than truncating.
      for (const table of TABLES) await pool.query(`delete from ${table}`);
      await pool.query("update settings set show_network_info_to_client = false");
    },
    async query(sql, parameters = []) {
      const result = await pool.query(sql, [...parameters]);
      return result.rows;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** One more connection, for a transaction that stands open while something else happens. */
export async function connectBeside({ connection }: TestDatabase): Promise<Queryable & AsyncDisposable> {
  const client = new pg.Client(connectionConfig(connection));
  await client.connect();
  return {
    query: async (sql, parameters = []) => (await client.query(sql, [...parameters])).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Whether anybody at the same database waits for a row or a transaction. */
export async function waitsForLock({ query }: Queryable): Promise<boolean> {
  const waiting = await query(
    `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`,
  );
  return waiting.length > 0;
}

/** The directory of a migrated, empty embedded database, made on first use; its `pg` may be copied into a data directory. */
export async function ensureTestTemplate(): Promise<string> {
  await ensureTemplate(template());
  return template().templateDir;
}

/** A private embedded database from that template, whatever TEST_DATABASE_URL says. */
export async function openEmbeddedTestDatabase(): Promise<EmbeddedDatabase> {
  return await openFromTemplate(template());
}

function template(): TemplateOptions {
  return {
    templateDir: join(ROOT, "node_modules/.cache/host-console", `template-${schemaHash()}`),
    build: (connection) => migrateOnce({ kind: "embedded", ...connection }),
    log: silent,
  };
}

async function openEmbedded(resources: AsyncDisposableStack): Promise<DatabaseConnection> {
  const database = resources.use(await openEmbeddedTestDatabase());
  return { kind: "embedded", ...database.connection };
}

async function openOnServer(resources: AsyncDisposableStack, url: string): Promise<DatabaseConnection> {
  const name = `console_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  await onServer(url, `create database ${name}`);
  resources.defer(() => onServer(url, `drop database if exists ${name} with (force)`));
  const own = new URL(url);
  own.pathname = `/${name}`;
  const connection: DatabaseConnection = { kind: "server", url: own.href };
  await migrateOnce(connection);
  return connection;
}

async function migrateOnce(connection: DatabaseConnection): Promise<void> {
  await migrate({ connection, entities: ENTITIES, migrations: MIGRATIONS, log: silent });
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The template is built anew when a migration or the database engine changes. */
function schemaHash(): string {
  const hash = createHash("sha256");
  for (const file of [...globSync("src/server/database/migrations/*.ts", { cwd: ROOT }).sort(), "package-lock.json"])
    hash.update(readFileSync(join(ROOT, file)));
  return hash.digest("hex").slice(0, 16);
}
