import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { proxyConnection } from "../../harness/tcp-proxy.ts";
import { follow, seen } from "../../sockets/raw-client.ts";
import { progress, settingsChanged, signIn, startReplica } from "../../sockets/replica.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.clear();
});
afterAll(() => database[Symbol.asyncDispose]());

it("an open stream outlives a database that goes away and comes back", async () => {
  await using proxy = await proxyConnection(database.connection);
  await using replica = await startReplica({ ...database, connection: proxy.connection });
  const { token } = await signIn(database, "super_admin");
  await using client = await follow(replica.url, token);
  await replica.append(progress(1));
  await client.until(() => seen(client).length === 1);

  for (const round of [1, 2, 3]) {
    proxy.drop();
    await insert(round * 10);
    await new Promise((resolve) => setTimeout(resolve, 700 * round));
    expect(seen(client).at(-1)).not.toBe(round * 10);
    await proxy.mend();
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
