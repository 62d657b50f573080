import { setTimeout as sleep } from "node:timers/promises";
import pg, { type Pool } from "pg";
import { connectionConfig, type DatabaseConnection } from "./open.ts";

const TIMEOUT_MS = 2_000;
/** Fails on a connection that accepts no writes. */
const WRITE_CHECK = "select from schema_migrations where false for update";

export interface Readiness extends AsyncDisposable {
  /** Whether the database answers in time and accepts writes. */
  isWritable(): Promise<boolean>;
}

interface ReadinessOptions {
  readonly connection: DatabaseConnection;
  /** When the database accepts writes again. */
  onRecovered(): void;
  onError(error: Error): void;
}

/**
 * Asks the database over a connection of its own, so that calls which fill the pool do not make a
 * well process look ill, and its proxy send their successors nowhere. Those who ask at the same
 * time share one answer, because nobody signs in to ask.
 *
 * The embedded database has one session for all connections: there the question waits for the
 * statement or transaction under way, but not for those that wait for the pool.
 *
 * After a failover a connection may stay with a former primary. The own one is then as old as those
 * of the pool. It fails, the next one works, and `onRecovered` renews the pool.
 */
export function openReadiness(options: ReadinessOptions): Readiness {
  const { connection, onRecovered, onError } = options;
  const own = new pg.Pool({
    ...connectionConfig(connection),
    max: 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    maxLifetimeSeconds: 60,
  });
  own.on("error", onError);

  let wasWritable = true;
  let asking: Promise<boolean> | null = null;

  async function ask(): Promise<boolean> {
    const isWritable = await inTime(accepts(own));
    if (isWritable && !wasWritable) onRecovered();
    wasWritable = isWritable;
    return isWritable;
  }

  return {
    isWritable() {
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
    [Symbol.asyncDispose]: () => own.end(),
  };
}

function accepts(pool: Pool): Promise<boolean> {
  return pool.query(WRITE_CHECK).then(
    () => true,
    () => false,
  );
}

function inTime(answer: Promise<boolean>): Promise<boolean> {
  return Promise.race([answer, sleep(TIMEOUT_MS, false, { ref: false })]);
}
