import { once } from "node:events";
import { setInterval as every, setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { createConsoleClient } from "../src/sdk/index.ts";
import type { ConsoleClient } from "../src/sdk/public-types.ts";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure, percentile } from "./harness/figure.ts";
import { addUsers, startInstallation } from "./harness/installation.ts";
import { idleMemory, startServer } from "./harness/server.ts";

const SOCKETS = 1_000;
/** Events a second, as often as a sync reports its progress. */
const RATE = 4;
const WARM_UP = 12;
const EVENTS = 40;
const DELIVERY_LIMIT_MS = 30_000;

/** How fast does an event reach 1,000 consoles? */
export async function events(bench: Bench, stack: AsyncDisposableStack): Promise<Figure[]> {
  const installation = await startInstallation(stack, bench, 0, 0);
  const { server, url, env, token, api } = installation;
  const replica = createConsoleClient({ url: (await startServer(stack, env)).output, token });
  await addUsers(installation, SOCKETS, "super_admin");
  const { openSockets, timeEvents } = createSockets(stack, url);
  await openSockets(1);
  await timeEvents(WARM_UP, api);
  const one = ["to one socket", percentile(await timeEvents(EVENTS, api), 0.99)] as const;
  const idle = await idleMemory(server);
  await openSockets(SOCKETS);
  const memory = ((await idleMemory(server)) - idle) / SOCKETS;
  await timeEvents(WARM_UP, api);
  const p99 = percentile(await timeEvents(EVENTS, api), 0.99);
  const p95 = percentile(await timeEvents(EVENTS, replica.api), 0.95);
  return [
    figure(`p99 of ${RATE} events a second to ${SOCKETS} sockets`, p99, "ms", {
      reference: one,
      bar: 150,
    }),
    figure("p95 of the same from another replica", p95, "ms", { bar: 1_000 }),
    figure("memory of a socket", memory * 1024, "KB", { bar: 60 }),
  ];
}

function createSockets(stack: AsyncDisposableStack, url: string) {
  const writtenAt: number[] = [];
  let opened = 0;
  let delays: number[] = [];

  /** With a session of its own. Events arrive in the order in which they were written. */
  async function openSocket(token: string): Promise<void> {
    const socket = new WebSocket(`${url.replace("http", "ws")}/trpc?connectionParams=1`, {
      perMessageDeflate: false,
    });
    stack.defer(() => socket.terminate());
    await once(socket, "open");
    const ready = Promise.withResolvers<void>();
    let received = writtenAt.length;
    socket.on("message", (message: Buffer) => {
      if (message.includes("stream.ready")) ready.resolve();
      if (!message.includes("settings.changed")) return;
      delays.push(performance.now() - (writtenAt[received] ?? Number.NaN));
      received += 1;
    });
    socket.send(JSON.stringify({ method: "connectionParams", data: { token } }));
    socket.send(
      JSON.stringify({ id: 1, method: "subscription", params: { path: "events.stream" } }),
    );
    await ready.promise;
  }

  async function openSockets(count: number): Promise<void> {
    while (opened < count) await openSocket(`token-${++opened}`);
  }

  /** Writes events at the rate. Returns the ms from each call to each delivery. */
  async function timeEvents(
    count: number,
    { settings }: ConsoleClient["api"],
  ): Promise<readonly number[]> {
    delays = [];
    const wanted = count * opened;
    const last = writtenAt.length + count;
    for await (const _ of every(1000 / RATE)) {
      writtenAt.push(performance.now());
      await settings.update.mutate({ show_network_info_to_client: writtenAt.length % 2 === 0 });
      if (writtenAt.length === last) break;
    }
    const limit = performance.now() + DELIVERY_LIMIT_MS;
    while (delays.length < wanted && performance.now() < limit) await sleep(10);
    if (delays.length !== wanted) throw new Error(`${delays.length} of ${wanted} events arrived`);
    return delays;
  }

  return { openSockets, timeEvents };
}
