import { setTimeout as sleep } from "node:timers/promises";
import { MAIN_KEYS } from "../src/simulator/options.ts";
import type { Bench } from "./harness/bench.ts";
import { measureCleanUp } from "./harness/clean-up.ts";
import { type Figure, figure, percentile } from "./harness/figure.ts";
import { type Installation, startInstallation } from "./harness/installation.ts";
import { startServer } from "./harness/server.ts";

const CONFIGS = 10;
const YEAR_MINUTES = 365 * 24 * 60;
const CALLS = 40;
const METRICS_TOKEN = "bench";
const LAST_SUCCESS = "console_sync_last_success_age_seconds";

/**
 * How do a year's sync runs of ten configurations weigh, as they are before the first clean-up? And
 * how long does that keep others waiting?
 */
export async function growthRuns(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [every, minutes] of [
    ["hourly", 60],
    ["every 5 minutes", 5],
  ] as const) {
    figures.push(...(await bench.scoped((stack) => measure(stack, bench, every, minutes))));
  }
  return figures;
}

async function measure(
  stack: AsyncDisposableStack,
  bench: Bench,
  every: string,
  minutes: number,
): Promise<Figure[]> {
  const installation = await startInstallation(stack, bench, 60, 0);
  await addConfigs(installation);
  await addYearOfRuns(installation, minutes);
  const { url } = await startMeasured(stack, installation);
  const get = (path: string) => timeGet(`${url}${path}`, installation.token);

  const configs = await p95(() => get("/api/hosts/configs/list"));
  const runs = await p95(() => get("/api/hosts/sync-runs?limit=20"));
  const failedRuns = await p95(() => get("/api/hosts/sync-runs?limit=20&status=failed"));
  const scrape = await timeGet(`${url}/metrics`, METRICS_TOKEN);
  const reported = [...scrape.body.matchAll(new RegExp(`^${LAST_SUCCESS}\\{`, "gm"))].length;

  return [
    figure(`p95 of the configurations, a year of ${CONFIGS} syncs ${every}`, configs, "ms", {
      bar: 50,
    }),
    figure(`p95 of the sync runs, a year of ${CONFIGS} syncs ${every}`, runs, "ms", { bar: 300 }),
    figure(`p95 of the failed ones, a year of ${CONFIGS} syncs ${every}`, failedRuns, "ms", {
      bar: 300,
    }),
    figure(`scrape, a year of ${CONFIGS} syncs ${every}`, scrape.ms, "ms", { bar: 1_000 }),
    figure(`configurations in the metric of the last success, ${every}`, reported, "rows", {
      bar: CONFIGS,
    }),
    ...(await measureCleanUp(installation.database, "sync_runs")),
  ];
}

/** The session lives in the database, so the token of the first server serves this one. */
async function startMeasured(stack: AsyncDisposableStack, { server, env }: Installation) {
  await server.stop();
  const { output } = await startServer(stack, { ...env, METRICS_TOKEN });
  // The first scrape and the first call of each kind are not counted.
  await sleep(1_000);
  return { url: output };
}

async function addConfigs({ api, providerUrl }: Installation): Promise<void> {
  const config = { ...MAIN_KEYS, apiUrl: providerUrl, defaultRegion: "cn-bj2" };
  for (let n = 2; n <= CONFIGS; n++)
    await api.configs.create.mutate({ ...config, name: `account ${n}` });
}

/** All runs of the first configuration failed, and those of the second in the last month. */
async function addYearOfRuns({ database }: Installation, minutes: number): Promise<void> {
  await database.query(
    `with configurations as (
       select id, name, row_number() over (order by id) as n from configs
     ), moments as (
       select extract(epoch from now())::bigint - 60 * $1::int * step as at
       from generate_series(1, $2::int) step
     )
     insert into sync_runs (id, config_id, config_name, trigger, status, started_at, finished_at,
       regions_total, regions_done, hosts_total, hosts_seen, unchanged, errors)
     select
       overlay(gen_random_uuid()::text
         placing regexp_replace(lpad(to_hex(at * 1000 + n), 12, '0'), '(.{8})(.{4})', '\\1-\\2-7') from 1 for 15)::uuid,
       c.id, c.name, 'schedule',
       case when c.n = 1 or (c.n = 2 and at > extract(epoch from now()) - 30 * 86400)
         then 'failed' else 'succeeded' end,
       at, at + 20, 27, 27, 100, 100, 100,
       case when at % 7 = 0 then jsonb_build_array(jsonb_build_object(
         'region', 'hk', 'projectId', 'org-1', 'code', 'timeout', 'message', repeat('x', 200))) else '[]' end
     from configurations c cross join moments
     order by 1`,
    [minutes, YEAR_MINUTES / minutes],
  );
  await database.query("vacuum analyze");
  // Else what was written now is flushed while reads are measured.
  await database.query("checkpoint");
}

async function p95(call: () => Promise<{ readonly ms: number }>): Promise<number> {
  await call();
  const times: number[] = [];
  while (times.length < CALLS) times.push((await call()).ms);
  return percentile(times, 0.95);
}

async function timeGet(url: string, token: string) {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.text();
  if (response.status !== 200)
    throw new Error(`${url} returned ${response.status}: ${body.slice(0, 200)}`);
  return { ms: performance.now() - startedAt, body };
}
