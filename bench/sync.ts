import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure, median } from "./harness/figure.ts";
import { type Installation, startInstallation } from "./harness/installation.ts";
import { load, pageRequests } from "./harness/load.ts";
import { idleMemory, readMemory, startNode } from "./harness/server.ts";

const PIPELINE = join(import.meta.dirname, "harness/pipeline.ts");
const HOSTS = 10_000;
const MANY_HOSTS = 100_000;
const LATENCY_MS = 20;
const ROUNDS = 3;
const LISTS_PER_SECOND = 10;

/** How long is a sync against a perfect pipeline, and how are lists meanwhile? */
export async function sync(bench: Bench): Promise<Figure[]> {
  const rounds: Awaited<ReturnType<typeof measure>>[] = [];
  while (rounds.length < ROUNDS) rounds.push(await bench.scoped((stack) => measure(stack, bench)));
  const of = (field: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[field]));
  const pipeline = ["pipeline", of("pipeline")] as const;
  const comparing = ["pipeline, comparing", of("comparing")] as const;
  const hosts = HOSTS.toLocaleString("en");
  return [
    figure(`sync of ${hosts} new hosts`, of("created"), "s", {
      reference: pipeline,
      ratioBar: 1.5,
    }),
    figure("first hosts listed after the click", of("listed"), "s", { bar: 2 }),
    figure(`sync of ${hosts} unchanged hosts`, of("unchanged"), "s", {
      reference: comparing,
      ratioBar: 1.2,
    }),
    figure(
      "host rows written by it",
      Math.max(...rounds.map((round) => round.rowsWritten)),
      "rows",
      { bar: 0 },
    ),
    ...(await bench.scoped((stack) => measureMany(stack, bench))),
  ];
}

/** Times in seconds. */
async function measure(stack: AsyncDisposableStack, bench: Bench) {
  const installation = await startInstallation(stack, bench, HOSTS, LATENCY_MS);
  // The first one warms the provider up.
  await runPipeline(stack, installation);
  const [pipeline = 0, comparing = 0] = await runPipeline(stack, installation);
  const [first, listed] = await Promise.all([
    installation.sync(),
    untilHostsAreListed(installation),
  ]);
  if (first.run.created !== HOSTS) throw new Error(`${first.run.created} hosts were created`);
  const before = await rowVersions(installation);
  const unchanged: number[] = [];
  while (unchanged.length < ROUNDS) unchanged.push((await installation.sync()).seconds);
  const rowsWritten = [...(await rowVersions(installation))].filter(
    (version) => !before.has(version),
  ).length;
  return {
    pipeline,
    comparing,
    created: first.seconds,
    listed,
    unchanged: median(unchanged),
    rowsWritten,
  };
}

/** A first sync of many hosts while users read lists. */
async function measureMany(stack: AsyncDisposableStack, bench: Bench): Promise<Figure[]> {
  const installation = await startInstallation(stack, bench, MANY_HOSTS, LATENCY_MS);
  const { server, url, token, sync } = installation;
  const [pipeline = 0] = await runPipeline(stack, installation);
  const idle = await idleMemory(server);
  const over = new AbortController();
  const [{ seconds }, { p95 }] = await Promise.all([
    sync().finally(() => over.abort()),
    load(url, pageRequests(token), over.signal, LISTS_PER_SECOND),
  ]);
  const grown = readMemory(server, "VmHWM") - idle;
  const hosts = MANY_HOSTS.toLocaleString("en");
  return [
    figure(`sync of ${hosts} new hosts`, seconds, "s", {
      reference: ["pipeline", pipeline],
      ratioBar: 1.5,
    }),
    figure("memory over idle meanwhile", grown, "MB", { reference: ["idle", idle], bar: 200 }),
    figure(`p95 of ${LISTS_PER_SECOND} lists a second meanwhile`, p95, "ms", { bar: 300 }),
  ];
}

/** Seconds for new hosts in a new process, and there for the same hosts. */
async function runPipeline(
  stack: AsyncDisposableStack,
  { providerUrl, env }: Installation,
): Promise<number[]> {
  const { output, exited } = await startNode(
    stack,
    [PIPELINE, providerUrl],
    /^synced in (.*) s$/,
    env,
  );
  await exited;
  return output.split(" and ").map(Number);
}

/** Seconds until the list has a host. */
async function untilHostsAreListed({ api }: Installation): Promise<number> {
  const startedAt = performance.now();
  while ((await api.hosts.list.query({})).pagination.total === 0) await sleep(50);
  return (performance.now() - startedAt) / 1000;
}

/** Each row with the transaction that last wrote it, and where it lies. */
async function rowVersions({ database }: Installation): Promise<Set<unknown>> {
  const rows = await database.query("select concat_ws(' ', id, xmin, ctid) as version from hosts");
  return new Set(rows.map(({ version }) => version));
}
