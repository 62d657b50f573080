import type { Bench } from "./harness/bench.ts";
import { measureCleanUp } from "./harness/clean-up.ts";
import { type Figure, figure, percentile } from "./harness/figure.ts";
import { type Installation, startInstallation } from "./harness/installation.ts";
import { fillDatabase, LARGE } from "./harness/large-data.ts";

const DAYS = 30;
const CHANGES_A_DAY = LARGE.hosts / 100;
/** Older than the history is kept. */
const OLD_CHANGES = 200_000;
const CALLS = 40;
const BAR_MS = 50;
/** It reads all changes of the run, once somebody types. */
const SEARCH_BAR_MS = 500;

/**
 * The history of 100,000 hosts of which 1 % change a day, after a first run that created all of them,
 * and of one host that changed every hour of a year. Then the clean-up removes what is too old, while
 * somebody writes the rows next to it.
 */
export async function history(bench: Bench, stack: AsyncDisposableStack): Promise<Figure[]> {
  const installation = await startInstallation(stack, bench, 1, 0);
  await fillDatabase(installation.database);
  const { first, daily, restless } = await addChanges(installation.database);
  const p95 = (path: string) => measure(installation, path);

  const figures = [
    figure("p95 of the configurations, 100,000 hosts", await p95("/api/hosts/configs/list"), "ms", {
      bar: BAR_MS,
    }),
    figure("p95 of the history of a host", await p95(await pathOfAnyHost(installation)), "ms", {
      bar: BAR_MS,
    }),
    figure(
      "p95 of the history of a host with 8,760 changes",
      await p95(`/api/hosts/${restless}/history`),
      "ms",
      { bar: BAR_MS },
    ),
    figure("p95 of its last page", await p95(`/api/hosts/${restless}/history?page=430`), "ms", {
      bar: BAR_MS,
    }),
    figure(
      "p95 of the changes of a daily run",
      await p95(`/api/hosts/sync-runs/${daily}/changes`),
      "ms",
      { bar: BAR_MS },
    ),
    figure(
      "p95 of the changes of a run that created 100,000 hosts",
      await p95(`/api/hosts/sync-runs/${first}/changes?kind=created`),
      "ms",
      { bar: BAR_MS },
    ),
    figure(
      "p95 of a search of these that finds nothing",
      await p95(`/api/hosts/sync-runs/${first}/changes?search=nothing-is-named-so`),
      "ms",
      { bar: SEARCH_BAR_MS },
    ),
  ];
  figures.push(...(await measureCleanUp(installation.database, "host_changes")));
  return figures;
}

/** Ids of a time, as the server makes them. */
const ID_OF_TIME = `
  create function history_id(seconds bigint) returns uuid language sql volatile as $$
    select (lpad(to_hex(seconds * 1000), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
      || 'a' || substr(md5(random()::text), 1, 15))::uuid
  $$`;

async function addChanges(database: Installation["database"]) {
  await database.query(ID_OF_TIME);
  const insertRun = `
    insert into sync_runs (id, config_id, config_name, trigger, status, started_at, finished_at, errors)
    select history_id(extract(epoch from now())::bigint), id, name, 'manual', 'succeeded',
      extract(epoch from now())::bigint, extract(epoch from now())::bigint, '[]'
    from configs returning id`;
  const [first] = await database.query(insertRun);
  const [daily] = await database.query(insertRun);
  const [restless] = await database.query("select id from hosts where gone_at is null limit 1");
  const insert = `
    insert into host_changes (id, host_id, kind, at, run_id, changes)
    select history_id(c.at), c.host_id, c.kind, c.at, c.run_id,
      case when c.kind = 'created' then '[]'
      else '[{"field":"status","from":"Running","to":"Stopped"},{"field":"name","from":"a","to":"b"}]'::jsonb end`;
  const now = "extract(epoch from now())::bigint";
  const statements: readonly (readonly [string, readonly unknown[]])[] = [
    [
      `${insert} from (select id as host_id, 'created' as kind, ${now} - 86400 * 31 as at,
        $1::uuid as run_id from hosts) c`,
      [first?.id],
    ],
    [
      `${insert} from (
        select h.id as host_id, 'changed' as kind, ${now} - 86400 * d as at,
          case when d = 1 then $1::uuid else gen_random_uuid() end as run_id
        from generate_series(1, ${DAYS}) d
        cross join lateral (
          select id from hosts where d > 0 order by md5(id::text || d) limit ${CHANGES_A_DAY}
        ) h) c`,
      [daily?.id],
    ],
    [
      `${insert} from (
        select $1::uuid as host_id, 'changed' as kind, ${now} - 3600 * h as at,
          gen_random_uuid() as run_id from generate_series(1, 8760) h) c`,
      [restless?.id],
    ],
    [
      `${insert} from (
        select $1::uuid as host_id, 'changed' as kind, ${now} - 86400 * 420 - n as at,
          null::uuid as run_id from generate_series(1, ${OLD_CHANGES}) n) c`,
      ["0198a000-0000-7000-8000-000000000000"],
    ],
    ["vacuum analyze", []],
    // Else what was written now is flushed while reads are measured.
    ["checkpoint", []],
  ];
  for (const [statement, values] of statements) await database.query(statement, [...values]);
  return { first: first?.id, daily: daily?.id, restless: restless?.id };
}

async function pathOfAnyHost({ database }: Installation): Promise<string> {
  const [row] = await database.query(`
    select a.host_id as id from assignments a where a.ended_at is null order by a.id desc limit 1`);
  return `/api/hosts/${row?.id}/history`;
}

async function measure({ url, token }: Installation, path: string): Promise<number> {
  const get = async () => {
    const startedAt = performance.now();
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return performance.now() - startedAt;
  };
  await get();
  const times: number[] = [];
  while (times.length < CALLS) times.push(await get());
  return percentile(times, 0.95);
}
