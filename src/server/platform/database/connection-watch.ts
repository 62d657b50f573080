import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase, ClientConfig, Pool, PoolClient, PoolConfig } from "pg";
import type { Log } from "../log.ts";
import { namingClient } from "./named-statements.ts";

// Which connections of a pool stay in use. When a database fails over, connections to the former
// primary may live on: it does not answer any more, it has become read-only, or it answers reads
// with what was true yesterday. The pool cannot know, and would give them to one call after the
// other.
//
// - A connection that does not answer for some time is ended while its caller waits, and that call
//   fails. It is asked nothing more, not even to roll back: over a dead connection the question
//   would take as long as the statement did. The database rolls back when the connection ends.
// - Every connection is asked, before its first caller gets it, which server it leads to. When that
//   is another one than the connection before it named, the address leads elsewhere now.
// - When one of them shows that the server is no longer the one it was, all others are as old, so
//   all are renewed: idle ones end at once, busy ones when they come back. Those that are being
//   opened serve one call, too: one that the former primary accepted may answer after one that the
//   new primary accepted. So a renewal begins a generation, and a connection belongs to that in
//   which its opening began.
//
// So all that stay in the pool lead to one server, and once a call has reached the new primary, no
// later call is answered by the former one. This settles: an opening causes one renewal at most,
// and connections are opened because calls need them. While an address leads to two servers in
// turn, connections serve one call each; when it leads to one, the second that is opened stays.
//
// A connection that is ended while it is in use never returns to the pool.

/** A database that stays read-only refuses many changes. Milliseconds. */
const READ_ONLY_INTERVAL_MS = 1_000;
/**
 * How long a new connection may take to say where it leads: as long as a call waits for one. A
 * pooler accepts every connection and lets the first statement wait.
 */
const OPENING_LIMIT_MS = 5_000;
/** No two servers were started in the same microsecond. Poolers pass the question on. */
const WHICH_SERVER = `
  select extract(epoch from pg_postmaster_start_time())::text as "startedAt"`;

interface WatchOptions {
  /** How long a connection in use may take for one answer. Milliseconds. */
  readonly answerLimitMs: number;
  readonly log: Log;
}

export class ConnectionWatch {
  /** The pool that is watched is made with these. */
  readonly poolOptions: Pick<PoolConfig, "Client" | "onConnect">;
  readonly #answerLimitMs: number;
  readonly #log: Log;
  #pool: Pool | null = null;
  #generation = 0;
  /** In which the opening of each connection began. */
  readonly #generations = new WeakMap<ClientBase, number>();
  /** Of the connections in use. */
  readonly #limits = new Map<ClientBase, NodeJS.Timeout>();
  /** To which the connection led that was opened last. */
  #server: string | null = null;
  #readOnlyAt = Number.NEGATIVE_INFINITY;

  constructor({ answerLimitMs, log }: WatchOptions) {
    this.#answerLimitMs = answerLimitMs;
    this.#log = log;

    const begin = (client: ClientBase) => this.#begin(client);
    this.poolOptions = {
      Client: class extends namingClient(log) {
        constructor(config?: ClientConfig) {
          super(config);
          begin(this);
        }
      },
      onConnect: (client) => this.#compareServer(client),
    };
  }

  /** Before the pool opens its first connection. */
  watch(pool: Pool): void {
    this.#pool = pool;

    pool.on("acquire", (client) => {
      const limit = setTimeout(() => this.#endSilent(client), this.#answerLimitMs).unref();
      this.#limits.set(client, limit);
    });
    pool.on("release", (_error, client) => {
      clearTimeout(this.#limits.get(client));
      this.#limits.delete(client);
      if (this.#isOutdated(client)) end(client);
    });
  }

  /** Ends every connection that is open or being opened now, busy ones when they are given back. */
  renew(): void {
    this.#generation++;
    if (this.#pool === null) return;

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

  #begin(client: ClientBase): void {
    this.#generations.set(client, this.#generation);
    // An answer has come, and nothing else is under way.
    client.on("drain", () => this.#limits.get(client)?.refresh());
  }

  #isOutdated(client: ClientBase): boolean {
    return this.#generations.get(client) !== this.#generation;
  }

  /** The pool gives a connection to its first caller when this is done, and ends it if it fails. */
  async #compareServer(client: ClientBase): Promise<void> {
    const server = await findServer(client);
    const former = this.#server;
    this.#server = server;
    if (former === null || server === former) return;

    // One line for all of them.
    if (!this.#isOutdated(client)) {
      this.#log.warn(
        "the database is another server, or was started again: all connections are opened anew",
      );
    }
    this.renew();
  }

  #endSilent(client: PoolClient): void {
    // One line for all of them.
    if (!this.#isOutdated(client)) {
      this.#log.warn("a database connection does not answer: all are opened anew");
    }
    end(client);
    this.renew();
  }
}

async function findServer(client: ClientBase): Promise<string> {
  const { rows } = await Promise.race([
    client.query<{ startedAt: string }>(WHICH_SERVER),
    failLate(),
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error("the server does not say when it was started");
  return row.startedAt;
}

/** As the pool fails when a call waits for a connection. */
async function failLate(): Promise<never> {
  await sleep(OPENING_LIMIT_MS, undefined, { ref: false });
  throw new Error("timeout exceeded when trying to connect");
}

/** What waits for an answer on it fails at once. */
function end(client: PoolClient): void {
  client.end().catch(() => undefined);
}
