import type { Pool, PoolClient } from "pg";
import type { Log } from "../log.ts";

// Which connections of a pool stay in use. When a database fails over, connections to the former
// primary may live on: it does not answer any more, or it has become read-only. The pool cannot
// know, and would give them to one call after the other.
//
// - A connection that does not answer for some time is ended while its caller waits, and that call
//   fails. It is asked nothing more, not even to roll back: over a dead connection the question
//   would take as long as the statement did. The database rolls back when the connection ends.
// - When one of them shows that the server is no longer the one it was, all others that were opened
//   before are as old, so all are renewed: idle ones end at once, busy ones when they come back.
//
// A connection that is ended while it is in use never returns to the pool.

/** A database that stays read-only refuses many changes. Milliseconds. */
const READ_ONLY_INTERVAL_MS = 1_000;

interface WatchOptions {
  /** How long a connection in use may take for one answer. Milliseconds. */
  readonly answerLimitMs: number;
  readonly log: Log;
}

export class ConnectionWatch {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #open = new Set<PoolClient>();
  readonly #outdated = new WeakSet<PoolClient>();
  /** Of the connections in use. */
  readonly #limits = new Map<PoolClient, NodeJS.Timeout>();
  #readOnlyAt = Number.NEGATIVE_INFINITY;

  constructor(pool: Pool, { answerLimitMs, log }: WatchOptions) {
    this.#pool = pool;
    this.#log = log;

    pool.on("acquire", (client) => {
      if (!this.#open.has(client)) this.#add(client);
      const limit = setTimeout(() => this.#endSilent(client), answerLimitMs).unref();
      this.#limits.set(client, limit);
    });
    pool.on("release", (_error, client) => {
      clearTimeout(this.#limits.get(client));
      this.#limits.delete(client);
      if (this.#outdated.has(client)) end(client);
    });
    pool.on("remove", (client) => this.#open.delete(client));
  }

  #add(client: PoolClient): void {
    this.#open.add(client);
    // An answer has come, and nothing else is under way.
    client.on("drain", () => this.#limits.get(client)?.refresh());
  }

  /** Ends every connection that is open now, busy ones when they are given back. */
  renew(): void {
    for (const client of this.#open) this.#outdated.add(client);

    // Each is taken from the pool and given back, which ends it.
    for (let count = this.#pool.idleCount; count > 0; count--) {
      this.#pool.connect().then(
        (client) => client.release(),
        () => undefined,
      );
    }
  }

  /** A change was refused because its connection takes no writes. */
  noteReadOnly(): void {
    const now = performance.now();
    if (now - this.#readOnlyAt < READ_ONLY_INTERVAL_MS) return;

    this.#readOnlyAt = now;
    this.renew();
  }

  #endSilent(client: PoolClient): void {
    // One line for all of them.
    if (!this.#outdated.has(client)) {
      this.#log.warn("a database connection does not answer: all are opened anew");
    }
    end(client);
    this.renew();
  }
}

/** What waits for an answer on it fails at once. */
function end(client: PoolClient): void {
  client.end().catch(() => undefined);
}
