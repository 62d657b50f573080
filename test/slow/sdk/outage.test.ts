import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createConsoleClient, errorCode } from "../../../src/sdk/index.ts";
import type { StreamEvent } from "../../../src/shared/events.ts";
import { openTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { proxyConnection } from "../../harness/tcp-proxy.ts";
import { progress, signIn, startReplica } from "../../sockets/replica.ts";

vi.setConfig({ testTimeout: 60_000 });

const SOON = 30_000;
let database: TestDatabase;
let sockets: WatchedSocket[];

/** Keeps the sockets of a client in sight, and counts how often the server answered UNAVAILABLE. */
class WatchedSocket extends WebSocket {
  refusals = 0;

  constructor(url: string) {
    super(url);
    sockets.push(this);
    this.addEventListener("message", ({ data }) => {
      if (/"error".*"code":"UNAVAILABLE"/.test(String(data))) this.refusals++;
    });
  }
}

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  sockets = [];
  await database.clear();
});
afterAll(() => database[Symbol.asyncDispose]());

it("an open subscription outlives an outage of the database, begins anew when its socket breaks in one, and misses nothing", async () => {
  await using fixture = await openServerFixture();
  const { proxy, replica, following } = fixture;
  await replica.append(progress(1));
  await vi.waitFor(() => expect(numbers(following.events)).toEqual([1]), SOON);

  for (const round of [1, 2]) {
    proxy.drop();
    await database.query("insert into events (type, payload, created_at) values ('sync.progress', $1::jsonb, 1)", [
      JSON.stringify(progress(round * 10).data),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 700 * round));
    expect(numbers(following.events)).not.toContain(round * 10);
    await proxy.mend();
    await vi.waitFor(() => expect(numbers(following.events)).toContain(round * 10), SOON);
  }
  expect(sockets).toHaveLength(1);
  expect(following.events.filter(({ type }) => type === "stream.ready")).toHaveLength(1);

  proxy.drop();
  sockets[0]?.close(4000);
  await vi.waitFor(() => expect(refusals()).toBeGreaterThan(1), SOON);
  await proxy.mend();
  await vi.waitFor(() => replica.append(progress(2)), SOON);
  await vi.waitFor(() => expect(numbers(following.events)).toEqual([1, 10, 20, 2]), SOON);
  expect([following.errors, following.completed()]).toEqual([[], 0]);
});

it.each(["close()", "its session"])("a subscription that waits for the database ends with %s", async (how) => {
  await using fixture = await openServerFixture();
  const { proxy, client, following, sessionId } = fixture;
  proxy.drop();
  sockets[0]?.close(4000);
  await vi.waitFor(() => expect(refusals()).toBeGreaterThan(0), SOON);
  if (how === "close()") {
    await client.close();
    expect([following.completed(), following.errors]).toEqual([1, []]);
    return;
  }
  await database.query("delete from sessions where id = $1", [sessionId]);
  await proxy.mend();
  await vi.waitFor(() => expect(following.errors.map(errorCode)).toEqual(["UNAUTHENTICATED"]), SOON);
  expect(following.completed()).toBe(0);
});

/** A server behind a proxy to the database, and a program that follows its events. */
async function openServerFixture() {
  await using resources = new AsyncDisposableStack();
  const proxy = resources.use(await proxyConnection(database.connection));
  const replica = resources.use(await startReplica({ ...database, connection: proxy.connection }));
  const { token, sessionId } = await signIn(database, "super_admin");
  const url = `http://127.0.0.1:${replica.port}`;
  const client = createConsoleClient({ url, token, WebSocket: WatchedSocket });
  resources.defer(() => client.close());
  const events: StreamEvent[] = [];
  const errors: unknown[] = [];
  let completed = 0;
  client.api.events.stream.subscribe(undefined, {
    onData: ({ data }) => events.push(data),
    onError: (error) => errors.push(error),
    onComplete: () => completed++,
  });
  await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(["stream.ready"]), SOON);
  const following = { events, errors, completed: () => completed };
  const opened = resources.move();
  return { proxy, replica, client, sessionId, following, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function refusals(): number {
  return sockets.reduce((sum, socket) => sum + socket.refusals, 0);
}

function numbers(events: readonly StreamEvent[]): number[] {
  return events.flatMap((event) => (event.type === "sync.progress" ? [event.data.hostsSeen] : []));
}
