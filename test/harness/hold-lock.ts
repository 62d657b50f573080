import pg from "pg";
import { it, vi } from "vitest";
import { connectionConfig } from "../../src/server/platform/database/open.ts";
import { HAS_CONCURRENT_SESSIONS, type Queryable, type TestDatabase } from "./database.ts";

/** A test that needs concurrent sessions. */
export const itOnPostgresql = it.runIf(HAS_CONCURRENT_SESSIONS);

type Connected = Pick<TestDatabase, "connection">;

/** Takes a lock with this statement in a transaction of its own, until it is released or disposed. */
export async function holdLock(
  { connection }: Connected,
  statement: string,
  parameters: readonly unknown[] = [],
) {
  const client = new pg.Client(connectionConfig(connection));
  await client.connect();
  const query: Queryable["query"] = async (sql, parameters = []) =>
    (await client.query(sql, [...parameters])).rows;
  await query("begin");
  await query(statement, parameters);
  return {
    /** Runs a statement in the transaction that holds the lock. */
    query,
    /** Resolves when so many other sessions wait for a lock. */
    awaited: (sessions = 1) =>
      vi.waitUntil(async () => (await countWaiting(query)) >= sessions, {
        interval: 5,
        timeout: 30_000,
      }),
    /** Commits the transaction. */
    release: () => query("commit"),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

async function countWaiting(query: Queryable["query"]): Promise<number> {
  // A transaction keeps the list of sessions that it read first.
  await query("select pg_stat_clear_snapshot()");
  const waiting = await query(
    `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`,
  );
  return waiting.length;
}
