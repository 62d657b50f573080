import type { Pool, PoolClient } from "pg";
import { READ_ONLY } from "./database-errors.ts";

/** Longer than any statement and its ROLLBACK may take before both time out, in ms. */
const LONGEST_USE = 45_000;
/** Whoever sees its query fail gives the connection back well within this, in ms. */
const GRACE = 1_000;

/**
 * Takes back connections that nobody will give back: the query builder releases a transaction's connection only after COMMIT or
 * ROLLBACK was answered, so one that dies or falls silent in a transaction would stay lent for ever, and the pool run dry.
 *
 * Lets go of connections to a database that takes no writes: another one may have its name by now, and what a session found at its
 * start it keeps. Who waits behind such a connection would meet it, one after the other.
 */
export function guardPool(pool: Pool): void {
  const uses = new WeakMap<PoolClient, NodeJS.Timeout>();
  pool.on("connect", (client) => {
    // Not unref'd: closing the pool waits for it.
    client.once("end", () => setTimeout(() => takeBack(client), GRACE));
    client.connection.on("errorMessage", ({ code }: { readonly code?: string }) => {
      if (code !== READ_ONLY) return;
      const { release } = client;
      client.release = () => release(true);
      dropIdle(pool);
    });
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

/** The pool has no other way to part with them than to lend them once more. */
function dropIdle(pool: Pool): void {
  for (let left = pool.idleCount; left > 0; left--) {
    void pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}
