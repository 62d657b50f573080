import { expect, it, vi } from "vitest";
import { createConsoleClient } from "../../../src/sdk/index.ts";
import type { StreamEvent } from "../../../src/shared/events.ts";
import { useApp } from "../../harness/app.ts";
import { append, progress } from "../../harness/events.ts";
import { startApp } from "../../harness/start-app.ts";
import { proxyConnection } from "../../harness/tcp-proxy.ts";
import { follow, sockets, WatchedSocket } from "../../sdk/follow.ts";

const SOON = 30_000;
const app = useApp();

it("an open subscription outlives an outage of the database and misses nothing", async () => {
  await using proxy = await proxyConnection(app.database.connection);
  await using server = await startApp(proxy.connection);
  await using client = Object.assign(
    createConsoleClient({ url: server.url, token: app.root.token, WebSocket: WatchedSocket }),
    { [Symbol.asyncDispose]: () => client.close() },
  );
  const following = follow(client);
  await vi.waitFor(
    () => expect(following.events.map(({ type }) => type)).toEqual(["stream.ready"]),
    SOON,
  );
  await append(app, progress(1));
  await vi.waitFor(() => expect(numbers(following.events)).toEqual([1]), SOON);

  for (const round of [1, 2]) {
    proxy.drop();
    await append(app, progress(round * 10));
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
  await append(app, progress(2));
  await vi.waitFor(() => expect(numbers(following.events)).toEqual([1, 10, 20, 2]), SOON);
  expect([following.errors, following.completed()]).toEqual([[], 0]);
});

function refusals(): number {
  return sockets.reduce((sum, socket) => sum + socket.refusals, 0);
}

function numbers(events: readonly StreamEvent[]): number[] {
  return events.flatMap((event) => (event.type === "sync.progress" ? [event.data.hostsSeen] : []));
}
