import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DatabaseConnection } from "../../src/server/core/database.ts";
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";
import { follow, seen } from "../sockets/raw-client.ts";
import { progress, settingsChanged, signIn, startReplica } from "../sockets/replica.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.clear();
});
afterAll(() => database[Symbol.asyncDispose]());

it("an open stream outlives a database that goes away and comes back", async () => {
  await using road = await openRoad(database.connection);
  await using replica = await startReplica({ ...database, connection: road.connection });
  const { token } = await signIn(database, "super_admin");
  await using client = await follow(replica.url, token);
  await replica.append(progress(1));
  await client.until(() => seen(client).length === 1);

  for (const round of [1, 2, 3]) {
    road.block();
    await insert(round * 10);
    await new Promise((resolve) => setTimeout(resolve, 700 * round));
    expect(seen(client).at(-1)).not.toBe(round * 10);
    road.unblock();
    await client.until(() => seen(client).at(-1) === round * 10, 10_000);
  }
  await replica.append(progress(2), settingsChanged(true));
  await client.until(({ events }) => events.at(-1)?.event.type === "settings.changed");
  expect(seen(client)).toEqual([1, 10, 20, 30, 2]);
  expect(client.events.filter(({ event }) => event.type === "stream.ready")).toHaveLength(1);
});

async function insert(hostsSeen: number): Promise<void> {
  await database.query("insert into events (type, payload, created_at) values ('sync.progress', $1::jsonb, 1)", [
    JSON.stringify(progress(hostsSeen).data),
  ]);
}

/** A way to the database that can be blocked: connections break, new ones are refused. */
async function openRoad(connection: DatabaseConnection) {
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
