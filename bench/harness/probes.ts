import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import { percentile } from "./samples.ts";
import { METRICS_TOKEN } from "./server.ts";
import type { Workbench } from "./workbench.ts";

/** Between two questions after the process's health, ms. */
const HEALTH_INTERVAL = 10;
/** Between two looks at the list, ms: ten a second, a few busy people. */
const LIST_INTERVAL = 100;
/** What people look at: the first page, a later one, one status, a search. */
const LISTS = [
  "/api/hosts?limit=20",
  "/api/hosts?limit=100&page=3",
  "/api/hosts?status=Stopped&limit=20",
  "/api/hosts?search=web&limit=20",
];

type Probeable = Pick<Workbench, "server" | "rest">;

export interface Probed {
  /** The longest that /healthz, which touches nothing, took to answer, ms. */
  readonly longestGap: number;
  /** The longest delay that the server's own event loop noticed, ms. */
  readonly longestLag: number;
  /** Of all lists, ms. */
  readonly listP95: number;
  readonly lists: number;
}

/** Asks the server for its health and for lists of hosts while `work` goes on. */
export async function probeDuring<Result>(
  workbench: Probeable,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly probed: Probed }> {
  const over = new AbortController();
  // Reading starts the server's count of delays anew.
  await readLag(workbench);
  const health = repeat(workbench, { paths: ["/healthz"], interval: HEALTH_INTERVAL, signal: over.signal });
  const lists = repeat(workbench, { paths: LISTS, interval: LIST_INTERVAL, signal: over.signal });
  try {
    const result = await work();
    over.abort();
    const [gaps, listTimes, longestLag] = await Promise.all([health, lists, readLag(workbench)]);
    const probed = {
      longestGap: Math.max(...gaps),
      longestLag,
      listP95: percentile(listTimes, 0.95),
      lists: listTimes.length,
    };
    return { result, probed };
  } finally {
    over.abort();
    await Promise.allSettled([health, lists]);
  }
}

/** Asks one thing after the other, at most one every `interval` ms, over a connection of its own. Answers how long each took, ms. */
async function repeat(
  { server, rest }: Probeable,
  { paths, interval, signal }: { paths: readonly string[]; interval: number; signal: AbortSignal },
): Promise<number[]> {
  const client = new Client(server.url);
  const headers = { authorization: `Bearer ${rest.token}` };
  const times: number[] = [];
  for (let asked = 0; !signal.aborted; asked++) {
    const path = paths[asked % paths.length] ?? "/";
    const startedAt = performance.now();
    const { statusCode, body } = await client.request({ method: "GET", path, headers });
    await body.dump();
    const time = performance.now() - startedAt;
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    times.push(time);
    await sleep(Math.max(0, interval - time));
  }
  await client.close();
  return times;
}

async function readLag({ server }: Probeable): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  const seconds = /^console_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error("/metrics does not tell the event loop's delay");
  return Number(seconds) * 1000;
}
