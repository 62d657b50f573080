import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { DatabaseConnection } from "../../src/server/database/open.ts";

/** A wire to a database that passes everything on and counts what is executed: statements, with `begin` and `commit` among them. */
export interface StatementCounter extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  /** What the job queue asks all the time, on connections of its own, is left out. */
  readonly executed: () => number;
}

/** The messages of PostgreSQL's protocol that matter here: Parse and Execute go together, Query is both in one. */
const PARSE = "P";
const EXECUTE = "E";
const QUERY = "Q";
const QUEUE_SCHEMA = "pgboss";
const LENGTH_BYTES = 4;

export async function startStatementCounter(connection: DatabaseConnection): Promise<StatementCounter> {
  const sockets = new Set<Socket>();
  let executed = 0;
  const server = createServer((near) => {
    const far = connectTo(connection);
    let isQueue = false;
    const read = messageReader((kind, body) => {
      if (kind === PARSE || kind === QUERY) isQueue ||= body.includes(QUEUE_SCHEMA);
      if (!isQueue && (kind === EXECUTE || kind === QUERY)) executed++;
    });
    near.on("data", read);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      // Else small packets wait for one another's acknowledgement, 40 ms for each statement.
      socket.setNoDelay().pipe(other);
      socket.on("error", () => undefined).on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a TCP port");
  return {
    connection: at(connection, address.port),
    executed: () => executed,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function connectTo(connection: DatabaseConnection): Socket {
  if (connection.kind === "server") {
    const { hostname, port } = new URL(connection.url);
    return connect(Number(port), hostname);
  }
  const { host, port } = connection;
  return host.startsWith("/") ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
}

function at(connection: DatabaseConnection, port: number): DatabaseConnection {
  if (connection.kind === "embedded") return { ...connection, host: "127.0.0.1", port };
  const url = new URL(connection.url);
  url.host = `127.0.0.1:${port}`;
  return { kind: "server", url: url.href };
}

/** Takes a client's bytes as they come, and tells each message. The first one of a connection is of no kind. */
function messageReader(onMessage: (kind: string, body: Buffer) => void): (chunk: Buffer) => void {
  let pending = Buffer.alloc(0);
  let kindBytes = 0;
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= kindBytes + LENGTH_BYTES) {
      const size = kindBytes + pending.readUInt32BE(kindBytes);
      if (pending.length < size) return;
      onMessage(pending.toString("latin1", 0, kindBytes), pending.subarray(kindBytes + LENGTH_BYTES, size));
      pending = pending.subarray(size);
      kindBytes = 1;
    }
  };
}
