import { join } from "node:path";
import { setInterval as ticks } from "node:timers/promises";
import { z } from "zod";
import { startProgram } from "../scripts/processes.ts";
import { type EventSource, startBare, startProduct } from "./harness/event-source.ts";
import type { Measurement } from "./harness/measurement.ts";
import { settledMegabytes } from "./harness/memory.ts";
import { present } from "./harness/stamp.ts";

const CONSOLES = join(import.meta.dirname, "harness/consoles.ts");
const SOCKETS = 1_000;
/** Events a second, as syncs that run tell of their progress, and for how long. */
const RATE = 4;
const SECONDS = 10;
/** The same before that, for what is compiled meanwhile does not count. */
const WARM_UP = 3;
/** As fast as they go: so many at once, each time all are delivered. Fewer than a server keeps in memory and than may wait for a reader. */
const BURST = 100;
const BURSTS = 2;

interface Followed {
  /** KB. */
  readonly memoryOfSocket: number;
  readonly deliveries: number;
  /** ms. */
  readonly p99: number;
  /** The same of events that another replica writes, ms. */
  readonly p95OfReplica: number;
  /** Deliveries a second. */
  readonly speed: number;
}

const Heard = z.object({ deliveries: z.int(), p95: z.number(), p99: z.number(), lastAt: z.int() });

/** A thousand open consoles that hear how syncs get on, beside a thousand sockets to which the same text is sent without ado. */
export const events: Measurement = async (databases) => {
  if (!databases.kinds.includes("PostgreSQL")) return [];
  const product = await follow((stack) => startProduct(stack, databases, SOCKETS));
  const bare = await follow(startBare);
  const sockets = `${SOCKETS.toLocaleString("en")} sockets, PostgreSQL`;
  return [
    {
      name: `deliveries of ${RATE} events a second to ${sockets}`,
      unit: "deliveries",
      measured: product.deliveries,
      against: { name: "events × sockets", value: RATE * SECONDS * SOCKETS },
      goal: { atLeast: 1 },
    },
    {
      name: `p99 of their delay, ${sockets}`,
      unit: "ms",
      measured: product.p99,
      against: { name: "bare ws", value: bare.p99 },
      goal: { limit: 150 },
    },
    {
      name: `p95 of the delay of events of another replica, ${sockets}`,
      unit: "ms",
      measured: product.p95OfReplica,
      against: { name: "bare ws", value: bare.p95OfReplica },
      goal: { limit: 1_000 },
    },
    {
      name: `deliveries when events come as fast as they go, ${sockets}`,
      unit: "/s",
      measured: product.speed,
      against: { name: "bare ws", value: bare.speed },
    },
    {
      name: `memory of a socket, of ${sockets}`,
      unit: "KB",
      measured: product.memoryOfSocket,
      against: { name: "bare ws", value: bare.memoryOfSocket },
      goal: { limit: 60 },
    },
  ];
};

async function follow(start: (stack: AsyncDisposableStack) => Promise<EventSource>): Promise<Followed> {
  await using stack = new AsyncDisposableStack();
  const source = await start(stack);
  const idle = await settledMegabytes(source.pid);
  const url = stack.use(await startProgram([CONSOLES, source.address, String(SOCKETS)], {}, /listening on (http:\S+)/));
  const held = await settledMegabytes(source.pid);
  await Promise.all([hear(url.announced, RATE * WARM_UP), tell(source, WARM_UP)]);
  const [steady] = await Promise.all([hear(url.announced, RATE * SECONDS), tell(source, SECONDS)]);
  const [ofReplica] = await Promise.all([hear(url.announced, RATE * SECONDS), tell(source, SECONDS, "replica")]);
  let deliveries = 0;
  let seconds = 0;
  for (let burst = 0; burst < BURSTS; burst++) {
    const startedAt = present();
    const [heard] = await Promise.all([hear(url.announced, BURST), source.write(BURST)]);
    deliveries += heard.deliveries;
    seconds += (heard.lastAt - startedAt) / 1e6;
  }
  return {
    memoryOfSocket: ((held - idle) * 1024) / SOCKETS,
    deliveries: steady.deliveries,
    p99: steady.p99,
    p95OfReplica: ofReplica.p95,
    speed: deliveries / seconds,
  };
}

async function tell(source: EventSource, seconds: number, by: "itself" | "replica" = "itself"): Promise<void> {
  let written = 0;
  for await (const _ of ticks(1000 / RATE)) {
    await source.write(1, by);
    written += 1;
    if (written === RATE * seconds) return;
  }
}

async function hear(url: string, events: number): Promise<z.infer<typeof Heard>> {
  return Heard.parse(await (await fetch(`${url}/?deliveries=${events * SOCKETS}`)).json());
}
