import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { connectionTo } from "../../src/server/embedded-database/open.ts";
import { isPostgreSqlInstalled, startPostgreSql } from "../../test/harness/postgresql.ts";

export type DatabaseKind = "embedded" | "PostgreSQL";

/** An empty database for one server. */
export interface BenchDatabase {
  /** Settings by which the server finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** Beside the server, while it runs. */
  query(sql: string): Promise<Record<string, unknown>[]>;
}

export interface Databases {
  /** PostgreSQL only where it is installed. */
  readonly kinds: readonly DatabaseKind[];
  create(stack: AsyncDisposableStack, kind: DatabaseKind): Promise<BenchDatabase>;
}

/** Databases to measure on; the PostgreSQL server is started when first needed, commits to disk as in real use, and lives as long as the stack. */
export function openDatabases(stack: AsyncDisposableStack): Databases {
  let server: Promise<string> | undefined;
  let made = 0;

  async function createOnServer(): Promise<string> {
    server ??= startPostgreSql(stack, { isDurable: true });
    const url = new URL(await server);
    made += 1;
    const name = `bench_${made}`;
    await query({ connectionString: url.href }, `create database ${name}`);
    url.pathname = `/${name}`;
    return url.href;
  }

  return {
    kinds: isPostgreSqlInstalled() ? ["embedded", "PostgreSQL"] : ["embedded"],
    async create(own, kind) {
      const dataDir = own.adopt(await mkdtemp(join(tmpdir(), "host-console-bench-")), (directory) =>
        rm(directory, { recursive: true, force: true }),
      );
      const common = { DATA_DIR: dataDir, ENCRYPTION_KEY: randomBytes(32).toString("base64") };
      switch (kind) {
        case "embedded": {
          const socket = connectionTo(dataDir);
          return { env: { ...common, DATABASE_URL: "" }, query: (sql) => query(socket, sql) };
        }
        case "PostgreSQL": {
          const url = await createOnServer();
          return { env: { ...common, DATABASE_URL: url }, query: (sql) => query({ connectionString: url }, sql) };
        }
      }
    },
  };
}

async function query(config: pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
