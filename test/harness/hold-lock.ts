import pg from "pg";
import { it, vi } from "vitest";
import { connectionConfig } from "../../src/server/platform/database/open.ts";
import { HAS_CONCURRENT_SESSIONS, type Queryable, type TestDatabase } from "./database.ts";

/** A test that needs concurrent sessions. */
export const itOnPostgresql = it.runIf(HAS_CONCURRENT_SESSIONS);

type Connected = Pick<TestDatabase, "connection">;

/**
 * Takes a lock with this statement in a transaction of its own, until it is released or disposed.
 */
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

export interface Lock {
  readonly statement: string;
  readonly parameters?: readonly unknown[];
}

/**
 * The results of calls that overlap for certain: they are sent while this lock is held, and go on
 * when at least two of them wait for it. The embedded database has one session and takes them one
 * after the other.
 */
export async function overlapping<Result>(
  database: Connected,
  { statement, parameters }: Lock,
  send: () => Promise<Result>[],
): Promise<Result[]> {
  if (!HAS_CONCURRENT_SESSIONS) return await Promise.all(send());

  await using lock = await holdLock(database, statement, parameters);
  const results = Promise.all(send());
  await Promise.race([lock.awaited(2), results]);
  await lock.release();
  return await results;
}

async function countWaiting(query: Queryable["query"]): Promise<number> {
  // A transaction keeps the list of sessions that it read first.
  await query("select pg_stat_clear_snapshot()");
  const waiting = await query(
    `select from pg_locks l join pg_stat_activity a using (pid)
     where not l.granted and a.datname = current_database()`,
  );
  return waiting.length;
}
