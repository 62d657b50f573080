import { once } from "node:events";
import { createServer } from "node:http";
import { WebSocket } from "ws";
import { listen } from "./listen.ts";
import { percentile } from "./samples.ts";
import { present, stampOf } from "./stamp.ts";

/**
 * Open consoles, without the consoles: sockets that follow the events of a server, each with a session of its own, and count:
 * node bench/harness/consoles.ts WS-URL COUNT [FIRST]. They are `console-FIRST` and those after it. GET /?deliveries=N answers once so
 * many have come since the last answer, or no more come.
 */
const [address, count, first = "1"] = process.argv.slice(2);
if (address === undefined) throw new Error("usage: node bench/harness/consoles.ts WS-URL COUNT");

/** Opened at the same time; each must be signed in within seconds. */
const AT_ONCE = 50;
/** Without a delivery for so long no more come, ms. */
const PATIENCE = 30_000;
const CHECK_INTERVAL = 5;

let delays: number[] = [];
let lastAt = present();

for (let opened = 0; opened < Number(count); opened += AT_ONCE) {
  const batch = Math.min(AT_ONCE, Number(count) - opened);
  await Promise.all(Array.from({ length: batch }, (_, index) => follow(`console-${Number(first) + opened + index}`)));
}
const server = createServer(async (request, response) => {
  const wanted = Number(new URL(request.url ?? "/", "http://localhost").searchParams.get("deliveries"));
  await deliveries(wanted);
  const [p95 = 0, p99 = 0] = delays.length === 0 ? [] : [0.95, 0.99].map((share) => percentile(delays, share) / 1000);
  response.end(JSON.stringify({ deliveries: delays.length, p95, p99, lastAt }));
  delays = [];
});
console.log(`listening on ${await listen(server)}`);

/** Resolves once the stream is open. */
async function follow(token: string): Promise<void> {
  const socket = new WebSocket(`${address}?connectionParams=1`, { perMessageDeflate: false });
  const ready = Promise.withResolvers<void>();
  socket.on("error", ready.reject).on("close", (code) => {
    ready.reject(new Error(`closed with ${code}`));
    console.error(`the socket of ${token} was closed with ${code}`);
  });
  socket.on("message", (frame: Buffer) => {
    const writtenAt = stampOf(frame);
    if (writtenAt === null) {
      if (frame.includes("stream.ready")) ready.resolve();
      return;
    }
    lastAt = present();
    delays.push(lastAt - writtenAt);
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ method: "connectionParams", data: { token } }));
  socket.send(JSON.stringify({ id: 1, method: "subscription", params: { path: "events.stream" } }));
  await ready.promise;
}

function deliveries(wanted: number): Promise<void> {
  const askedAt = present();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const isQuiet = present() - Math.max(askedAt, lastAt) > PATIENCE * 1000;
      if (delays.length < wanted && !isQuiet) return;
      clearInterval(timer);
      resolve();
    }, CHECK_INTERVAL);
  });
}
