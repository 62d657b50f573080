import type { Pool, PoolClient } from "pg";

/** Longer than any statement and its ROLLBACK may take before both time out, in ms. */
const LONGEST_USE = 45_000;
/** Whoever sees its query fail gives the connection back well within this, in ms. */
const GRACE = 1_000;

/**
 * Takes back connections that nobody will give back: the query builder releases a transaction's connection only after COMMIT or
 * ROLLBACK was answered, so one that dies or falls silent in a transaction would stay lent for ever, and the pool run dry.
 */
export function guardPool(pool: Pool): void {
  const uses = new WeakMap<PoolClient, NodeJS.Timeout>();
  pool.on("connect", (client) => {
    // Not unref'd: closing the pool waits for it.
    client.once("end", () => setTimeout(() => takeBack(client), GRACE));
  });
  pool.on("acquire", (client) => {
    uses.set(client, setTimeout(() => takeBack(client), LONGEST_USE).unref());
  });
  pool.on("release", (_error, client) => clearTimeout(uses.get(client)));
}

function takeBack(client: PoolClient): void {
  try {
    client.release(true);
  } catch {
    // It was given back in time: a second release is what the pool refuses.
  }
}
