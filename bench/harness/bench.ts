import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { connectionTo } from "../../src/server/platform/embedded-database/open.ts";
import { startPostgreSql } from "../../test/harness/postgresql.ts";
import type { Figure } from "./figure.ts";

export type Bench = Awaited<ReturnType<typeof createBench>>;
export type Measurement = (bench: Bench, stack: AsyncDisposableStack) => Promise<Figure[]>;

/** One kind of database. PostgreSQL flushes commits to disk, and lives as long as the stack. */
export async function createBench(bench: AsyncDisposableStack, kind: "embedded" | "PostgreSQL") {
  const server = kind === "embedded" ? null : await startPostgreSql(bench, { isDurable: true });
  let created = 0;
  return {
    kind,
    /**
     * An empty database for one server: the server's settings, and a way to query it while the
     * server runs.
     */
    async createDatabase(stack: AsyncDisposableStack) {
      const dataDir = await mkdtemp(join(tmpdir(), "host-console-bench-"));
      stack.defer(() => rm(dataDir, { recursive: true, force: true }));
      const url = server === null ? "" : new URL(`/bench_${++created}`, server).href;
      if (server !== null)
        await query({ connectionString: server }, `create database bench_${created}`);
      const config = server === null ? connectionTo(dataDir) : { connectionString: url };
      return {
        env: {
          DATA_DIR: dataDir,
          ENCRYPTION_KEY: randomBytes(32).toString("base64"),
          DATABASE_URL: url,
        },
        query: (sql: string, values?: unknown[]) => query(config, sql, values),
      };
    },
    /**
     * Runs `work` with a stack of its own, released when `work` ends, or earlier with the stack of
     * the bench.
     */
    async scoped<Result>(work: (stack: AsyncDisposableStack) => Promise<Result>): Promise<Result> {
      const stack = new AsyncDisposableStack();
      bench.defer(() => stack.disposeAsync());
      try {
        return await work(stack);
      } finally {
        await stack.disposeAsync();
      }
    },
  };
}

async function query(
  config: pg.ClientConfig,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
