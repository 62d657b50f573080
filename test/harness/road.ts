import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { DatabaseConnection } from "../../src/server/database/open.ts";

/** A proxy to the database that can block connections. */
export async function openRoad(connection: DatabaseConnection) {
  const sockets = new Set<Socket>();
  let isBlocked = false;
  const server = createServer((near) => {
    if (isBlocked) return near.destroy();
    const far = connectTcp(addressOf(connection));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    connection: through(connection, port),
    block() {
      isBlocked = true;
      for (const socket of sockets) socket.destroy();
    },
    unblock() {
      isBlocked = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function addressOf(connection: DatabaseConnection): { path: string } | { host: string; port: number } {
  if (connection.kind === "server") {
    const url = new URL(connection.url);
    return { host: url.hostname, port: Number(url.port || 5432) };
  }
  const { host, port } = connection;
  return host.startsWith("/") ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
}

function through(connection: DatabaseConnection, port: number): DatabaseConnection {
  if (connection.kind === "embedded") return { ...connection, host: "127.0.0.1", port };
  const url = new URL(connection.url);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return { kind: "server", url: url.href };
}
