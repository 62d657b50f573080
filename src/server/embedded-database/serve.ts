import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import type { SharedPostgres } from "./shared-postgres.ts";
import type { ListenOn } from "./socket-address.ts";

/** Far above any pool of this process. */
const MAX_CONNECTIONS = 500;
/** How long a transaction may say nothing while others wait for it, milliseconds. */
const SILENCE_LIMIT = 30_000;
const WATCH_INTERVAL = 5_000;

export interface ServeOptions {
  readonly postgres: SharedPostgres;
  readonly listenOn: ListenOn;
  readonly reportError: (text: string) => void;
}

export interface Service {
  /** The loopback port, null on a unix socket. */
  readonly port: number | null;
  measure(): { connections: number; waiting: number };
  [Symbol.asyncDispose](): Promise<void>;
}

/** Offers one PostgreSQL session to many connections. */
export async function serve({ postgres, listenOn, reportError }: ServeOptions): Promise<Service> {
  let server = await listen(postgres, listenOn);
  const port = "path" in listenOn ? null : portOf(server);
  const sameAddress = port === null ? listenOn : { port };

  // A transaction that waits for something of its own process (a second connection, say) would stop everyone for
  // ever. PostgreSQL's own time-outs need signals, which do not exist here; so all connections are cut instead.
  let restarting: Promise<void> = Promise.resolve();
  const watch = setInterval(() => {
    const { queuedQueries } = server.getStats();
    if (queuedQueries === 0 || !postgres.isInTransaction() || postgres.silentFor < SILENCE_LIMIT) return;
    reportError(
      `transaction idle for ${SILENCE_LIMIT} ms while ${queuedQueries} wait: it is rolled back, all connections are cut`,
    );
    restarting = restarting.then(async () => {
      await server.stop();
      server = await listen(postgres, sameAddress);
    });
  }, WATCH_INTERVAL);

  return {
    port,
    measure: () => ({ connections: server.getStats().activeConnections, waiting: server.getStats().queuedQueries }),
    async [Symbol.asyncDispose]() {
      clearInterval(watch);
      await restarting;
      await server.stop();
    },
  };
}

async function listen(postgres: SharedPostgres, listenOn: ListenOn): Promise<PGLiteSocketServer> {
  const server = new PGLiteSocketServer({
    db: postgres,
    maxConnections: MAX_CONNECTIONS,
    host: "127.0.0.1",
    ...listenOn,
  });
  await server.start();
  return server;
}

function portOf(server: PGLiteSocketServer): number {
  return Number(server.getServerConn().split(":").at(-1));
}
