import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createConsoleClient, errorCode } from "../../../src/sdk/index.ts";
import type { StreamEvent } from "../../../src/shared/events.ts";
import { openTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { proxyConnection } from "../../harness/tcp-proxy.ts";
import { progress, signIn, startReplica } from "../../sockets/replica.ts";

vi.setConfig({ testTimeout: 60_000 });

let database: TestDatabase;
let sockets: WatchedSocket[];

/** The runtime's own, with every socket and what the server said of failures kept in sight. */
class WatchedSocket extends WebSocket {
  readonly failures: string[] = [];

  constructor(url: string) {
    super(url);
    sockets.push(this);
    this.addEventListener("message", ({ data }) => {
      const code = /"error".*"code":"([A-Z_]+)"/.exec(String(data))?.[1];
      if (code !== undefined) this.failures.push(code);
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

it("a subscription that reconnects while the database is away begins anew when that is back, and misses nothing", async () => {
  await using stage = await openStage();
  const { proxy, replica, following } = stage;
  await replica.append(progress(1));
  await vi.waitFor(() => expect(numbers(following.events)).toEqual([1]), 10_000);

  proxy.drop();
  sockets[0]?.close(4000);
  await vi.waitFor(() => expect(refusals()).toBeGreaterThan(1), 30_000);
  await proxy.mend();
  await vi.waitFor(() => replica.append(progress(2)), 10_000);
  await vi.waitFor(() => expect(numbers(following.events)).toEqual([1, 2]), 30_000);
  expect([following.errors, following.completed()]).toEqual([[], 0]);
});

it("a subscription that waits for the database ends with close() and with its session", async () => {
  for (const end of ["close", "revoke"] as const) {
    await using stage = await openStage();
    const { proxy, client, following, sessionId } = stage;
    sockets = [...sockets].slice(-1);
    proxy.drop();
    sockets[0]?.close(4000);
    await vi.waitFor(() => expect(refusals()).toBeGreaterThan(0), 30_000);
    if (end === "close") {
      await client.close();
      expect([following.completed(), following.errors]).toEqual([1, []]);
      continue;
    }
    await database.query("delete from sessions where id = $1", [sessionId]);
    await proxy.mend();
    await vi.waitFor(() => expect(following.errors.map(errorCode)).toEqual(["UNAUTHENTICATED"]), 30_000);
    expect(following.completed()).toBe(0);
  }
});

/** A server behind a proxy to the database, and a program that follows its events. */
async function openStage() {
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
  await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(["stream.ready"]), 10_000);
  const opened = resources.move();
  return {
    proxy,
    replica,
    client,
    sessionId,
    following: { events, errors, completed: () => completed },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function refusals(): number {
  return sockets.flatMap(({ failures }) => failures).filter((code) => code === "UNAVAILABLE").length;
}

function numbers(events: readonly StreamEvent[]): number[] {
  return events.flatMap((event) => (event.type === "sync.progress" ? [event.data.hostsSeen] : []));
}
