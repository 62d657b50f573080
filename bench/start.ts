import { createConsoleClient } from "../src/sdk/index.ts";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure, median } from "./harness/figure.ts";
import { PASSWORD, startInstallation } from "./harness/installation.ts";
import { idleMemory, startNode, startServer } from "./harness/server.ts";

const HOSTS = 10_000;
const ROUNDS = 5;
/** s, MB. */
const BARS = { embedded: [2.5, 420], PostgreSQL: [1.2, 170] } as const;

/** How fast does it start on existing data, and how much memory does it hold at rest? */
export async function start(bench: Bench, stack: AsyncDisposableStack): Promise<Figure[]> {
  const existing = await startInstallation(stack, bench, HOSTS, 0);
  await existing.sync();
  await existing.server.stop();
  const [starts, bareStarts]: [number[], number[]] = [[], []];
  while (starts.length < ROUNDS) {
    const bareAt = performance.now();
    await startNode(stack, ["-p", "'ready'"], /ready/);
    const startedAt = performance.now();
    const { output: url, stop } = await startServer(stack, existing.env);
    if (!(await fetch(`${url}/readyz`)).ok) throw new Error("/readyz is not 200 after the start");
    starts.push((performance.now() - startedAt) / 1000);
    bareStarts.push((startedAt - bareAt) / 1000);
    await stop();
  }
  const bare = await startNode(
    stack,
    ["-e", "console.log('ready'); setInterval(() => {}, 1e6)"],
    /ready/,
  );
  const server = await startServer(stack, existing.env);
  await createConsoleClient({ url: server.output }).login("admin", PASSWORD);
  const seconds = ["node alone", median(bareStarts)] as const;
  const memory = ["node alone", await idleMemory(bare)] as const;
  const [secondsBar, memoryBar] = BARS[bench.kind];
  return [
    figure("start to ready", median(starts), "s", { reference: seconds, bar: secondsBar }),
    figure("idle memory", await idleMemory(server), "MB", { reference: memory, bar: memoryBar }),
  ];
}
