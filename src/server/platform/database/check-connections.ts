import type { Pool } from "pg";
import { reasonOf, StartError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Readiness } from "./readiness.ts";

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
 *
 * A pooler accepts every connection and lets the first statement wait: connection-watch.ts asks one
 * as part of the opening, with a time limit.
 */
export async function checkConnections({
  pool,
  readiness,
  log,
}: CheckedConnections): Promise<void> {
  // Its connection stays open.
  await readiness.isWritable();

  const size = pool.options.max;
  const opened = await Promise.allSettled(Array.from({ length: size }, () => pool.connect()));
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
