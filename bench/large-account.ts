import { setTimeout as sleep } from "node:timers/promises";
import { MAIN_KEYS } from "../src/simulator/options.ts";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure } from "./harness/figure.ts";
import { type Installation, startInstallation } from "./harness/installation.ts";
import { addVanishedHosts } from "./harness/many-hosts.ts";
import { idleMemory, readMemory } from "./harness/server.ts";

const HOSTS = 100_000;
const PROBE_MS = 20;
const RUN_LIMIT_MS = 10 * 60_000;

/**
 * What do acts on all hosts of a large account cost: time, memory, and how long the process answers
 * nobody?
 */
export async function largeAccount(bench: Bench): Promise<Figure[]> {
  return await bench.scoped(async (stack) => {
    const installation = await startInstallation(stack, bench, 60, 0);
    const { api, database } = installation;
    const [config] = await api.configs.list.query();
    if (config === undefined) throw new Error("there is no configuration");
    const configId = config.id;
    await installation.sync();
    await addVanishedHosts(installation, HOSTS);

    const held = await measure(installation, `a run that holds ${size}`, () =>
      runToEnd(installation, configId),
    );
    const confirmed = await measure(installation, `confirming ${size} held hosts`, async () => {
      while ((await countHeld(installation)) > 0)
        await api.hosts.confirmRemovals.mutate({ configId, all: true });
    });
    await database.query(
      "update hosts set gone_at = null, missing_since = changed_at, held_reason = 'mass-removal' where ucloud_id like 'uhost-bench%'",
    );
    const dismissed = await measure(installation, `dismissing ${size} held hosts`, async () => {
      await api.hosts.dismissRemovals.mutate({ configId, all: true });
    });
    const keys = { ...MAIN_KEYS, apiUrl: installation.providerUrl, defaultRegion: "cn-bj2" };
    await api.configs.create.mutate({ ...keys, name: "other", isDefault: true });
    const deleted = await measure(installation, `deleting a configuration of ${size}`, async () => {
      await api.configs.delete.mutate({ id: configId });
    });
    return [...held, ...confirmed, ...dismissed, ...deleted];
  });
}

const size = HOSTS.toLocaleString("en");

async function runToEnd({ api }: Installation, configId: string): Promise<void> {
  const [started] = (await api.hosts.sync.mutate({ configId, wait: 0 })).runs;
  if (started === undefined) throw new Error("no run began");
  for (
    const until = performance.now() + RUN_LIMIT_MS;
    performance.now() < until;
    await sleep(200)
  ) {
    const run = await api.hosts.syncRun.query({ id: started.id });
    if (run.finishedAt === null) continue;
    if (run.status !== "partial")
      throw new Error(`the run ended otherwise: ${JSON.stringify(run).slice(0, 500)}`);
    return;
  }
  throw new Error("the run did not end");
}

async function countHeld({ database }: Installation): Promise<number> {
  const [row] = await database.query(
    "select count(*)::int as n from hosts where missing_since is not null",
  );
  return Number(row?.n);
}

/** What one act costs the server, and the largest event that it wrote. */
async function measure(
  installation: Installation,
  what: string,
  act: () => Promise<void>,
): Promise<Figure[]> {
  const { server, url, database } = installation;
  const [newest] = await database.query("select coalesce(max(id), 0)::int as id from events");
  const idle = await idleMemory(server);
  const over = new AbortController();
  const startedAt = performance.now();
  const [outcome, stall] = await Promise.all([
    act()
      .then(
        () => "",
        (error: unknown) => String(error),
      )
      .finally(() => over.abort()),
    longestStall(url, over.signal),
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  const grown = readMemory(server, "VmHWM") - idle;
  const [event] = await database.query(
    "select coalesce(max(length(payload::text)), 0)::int as size from events where id > $1",
    [newest?.id],
  );
  if (outcome !== "") console.error(`${what}: ${outcome}`);
  return [
    figure(outcome === "" ? what : `${what} (FAILED)`, seconds, "s"),
    figure(`${what}: longest stall`, stall, "ms", { bar: 500 }),
    figure(`${what}: memory over idle`, grown, "MB", { bar: 200 }),
    figure(`${what}: largest event`, Number(event?.size) / 1024, "KB", { bar: 64 }),
  ];
}

/** The slowest answer of a call that needs nothing but the event loop, in ms. */
async function longestStall(url: string, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    const askedAt = performance.now();
    await (await fetch(`${url}/healthz`)).arrayBuffer();
    longest = Math.max(longest, performance.now() - askedAt);
    await sleep(PROBE_MS);
  }
  return longest;
}
