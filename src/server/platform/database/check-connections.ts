import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { reasonOf, StartError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Readiness } from "./readiness.ts";

/** How long each may take until it answers. Milliseconds. */
const LIMIT_MS = 5_000;
/** The message of PgBouncer, which refuses what it is not told to pass over. */
const REFUSED_PARAMETER = /^unsupported startup parameter/;

interface CheckedConnections {
  readonly pool: Pool;
  readonly readiness: Pick<Readiness, "isWritable">;
  readonly log: Log;
}

/**
 * Opens every connection that this process ever uses, all at the same time, and gives them back. A
 * database or a pooler that has fewer to give serves a quiet day well and fails on a busy one, so
 * the start says it. No setting tells beforehand: the limit may be that of the server, of the
 * database, of the user or of a pooler, and others take their part of it. Throws StartError when a
 * pooler refuses the time limits of the connections.
 */
export async function checkConnections({
  pool,
  readiness,
  log,
}: CheckedConnections): Promise<void> {
  // Its connection stays open.
  await readiness.isWritable();

  const size = pool.options.max;
  const opened = await Promise.allSettled(Array.from({ length: size }, () => openOne(pool)));
  for (const each of opened) if (each.status === "fulfilled") each.value.release();

  const failures = opened.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  const [cause] = failures;
  if (cause === undefined) return;

  const reason = reasonOf(cause);
  if (REFUSED_PARAMETER.test(reason)) {
    throw new StartError(
      `DATABASE_URL: the pooler refuses the time limits of this program (${reason}); set` +
        " ignore_startup_parameters = statement_timeout, lock_timeout," +
        " idle_in_transaction_session_timeout in pgbouncer.ini",
      { cause },
    );
  }
  log.warn(
    { used: size + 1, missing: failures.length, reason },
    "the database gives this process fewer connections than it uses: some calls fail when it is busy",
  );
}

/** A pooler accepts every connection, and lets the first statement wait. */
async function openOne(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    await Promise.race([client.query("select"), failLate()]);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function failLate(): Promise<never> {
  await sleep(LIMIT_MS, undefined, { ref: false });
  throw new Error(`no answer within ${LIMIT_MS / 1_000} s`);
}
