import { beforeEach, expect, test } from "vitest";
import type { SyncRun } from "../../../src/shared/sync.ts";
import { openRoad } from "../../harness/road.ts";
import { moveHost } from "../../sync/move-host.ts";
import { type SyncProcess, syncBench } from "../../sync/sync-bench.ts";

/** The database has committed, and the connection dies before it can say so. */
const bench = syncBench({ hosts: 60, projects: 2, regions: ["cn-bj2", "hk"] });
let road: Awaited<ReturnType<typeof openRoad>>;
let replica: SyncProcess;
let configId: string;

beforeEach(async () => {
  road = await openRoad(bench.database.connection);
  replica = await bench.replica({}, road.connection);
  configId = await bench.config();
  return () => road[Symbol.asyncDispose]();
});

/** A run that loses the answer to the commit of the first transaction with this text in it. */
async function syncLosing(statement: string): Promise<SyncRun> {
  const lost = road.loseCommit(statement);
  const run = await bench.end(await replica.start(configId));
  await lost;
  return run;
}

async function events(): Promise<Record<string, number>> {
  const rows = await bench.database.query("select type, count(*)::integer as told from events group by type");
  return Object.fromEntries(rows.map(({ type, told }) => [String(type), Number(told)]));
}

test("new hosts are counted as created, and told of once", async () => {
  expect(await syncLosing("insert into hosts")).toMatchObject({ status: "succeeded", created: 60, unchanged: 0 });
  expect(await events()).toMatchObject({ "hosts.changed": 1, "sync.finished": 1 });
  expect((await bench.present()).length).toBe(60);
});

test("changed hosts are counted as updated", async () => {
  await bench.sync(configId);
  bench.simulator.control.updateHosts({ count: 7 }, { Name: "改名" });
  expect(await syncLosing("insert into hosts")).toMatchObject({ status: "succeeded", updated: 7, unchanged: 53 });
});

test("hosts that are gone are counted as gone", async () => {
  await bench.sync(configId);
  const removed = bench.simulator.control.removeHosts({ count: 3 });
  expect(await syncLosing("set gone_at")).toMatchObject({ status: "succeeded", gone: 3 });
  expect(await bench.gone()).toEqual(removed.toSorted());
});

test("hosts that have come to another project are counted as updated", async () => {
  await bench.sync(configId);
  bench.clock.forward(60);
  const { control } = bench.simulator;
  const [from, to] = control.projects().map(({ id }) => id);
  moveHost(control, String(control.hosts({ projectId: String(from) })[0]?.id), String(to));
  expect(await syncLosing("update hosts set region")).toMatchObject({ status: "succeeded", updated: 1, unchanged: 59 });
});

test("a run that has ended is not taken for one that was lost", async () => {
  expect(await syncLosing("'cancelled' else")).toMatchObject({ status: "succeeded", created: 60 });
  expect(await events()).toMatchObject({ "sync.finished": 1 });
  const { registry } = replica.deps.metrics;
  await expect
    .poll(() => registry.getSingleMetricAsString("console_sync_runs_total"), { timeout: 5_000 })
    .toMatch(/status="succeeded"} 1$/m);
});
