import { beforeEach, expect, test } from "vitest";
import { deleteConfig } from "../../src/server/configs/delete.ts";
import { type RefreshOutcome, refreshHosts } from "../../src/server/sync/refresh/refresh-hosts.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] });
const LISTING = { action: "DescribeUHostInstance" } as const;
let configId: string;

beforeEach(async () => {
  await bench.config();
  configId = await bench.config();
  await bench.sync(configId);
});

test("no host of a partition is marked gone when the list leaves out a host that the second lookup finds", async () => {
  const { control } = bench.simulator;
  const [back = "", away = ""] = control.removeHosts({ region: "cn-bj2", count: 2 });
  control.hold({ ...LISTING, byId: true });
  control.resetCalls();
  const refreshing = refresh([back, away]);
  await control.waitForHeld();
  control.release(1);
  await expect.poll(() => control.calls().last.map(({ ids }) => ids.length)).toEqual([2, 0, 2]);
  control.restoreHosts({ ids: [back] });
  control.release();
  const refreshed = await refreshing;
  expect(refreshed.get(back)).toBe("present");
  expect(refreshed.get(away)).toMatchObject({ code: "PROVIDER_ERROR", message: expect.stringContaining("未能完整") });
  expect(await bench.gone()).toEqual([]);
});

test("no host of a partition is marked gone when the list leaves out a host that the first lookup found", async () => {
  const { control } = bench.simulator;
  const [left = "", away = ""] = control.hosts({ region: "cn-bj2" }).map(({ id }) => id);
  control.removeHosts({ ids: [away] });
  control.hold({ ...LISTING, byId: false });
  const refreshing = refresh([left, away]);
  await control.waitForHeld();
  control.removeHosts({ ids: [left] });
  control.release();
  const refreshed = await refreshing;
  expect(refreshed.get(left)).toBe("present");
  expect(refreshed.get(away)).toMatchObject({ code: "PROVIDER_ERROR", message: expect.stringContaining("未能完整") });
  expect(await bench.gone()).toEqual([]);
});

test("a slow refresh does not keep out what a run found later", async () => {
  const { control } = bench.simulator;
  const [host = ""] = control.hosts({ region: "cn-bj2" }).map(({ id }) => id);
  const [away = ""] = control.removeHosts({ region: "hk", count: 1 });
  control.hold({ ...LISTING, region: "hk", byId: false, times: 1 });
  const refreshing = refresh([host, away]);
  await control.waitForHeld();
  control.updateHosts({ ids: [host] }, { State: "Rebooting" });
  bench.clock.forward(5);
  const late = { ...LISTING, region: "cn-bj2", byId: false } as const;
  control.addFaults({ ...late, fault: { kind: "slowDrip", everyMs: 250, bytes: 5_000 } });
  const run = await bench.process.start(configId);
  const isListed = () => control.calls().last.some(({ faults }) => faults.includes("slowDrip"));
  await expect.poll(isListed).toBe(true);
  bench.clock.forward(5);
  control.release();
  expect((await refreshing).get(host)).toBe("present");
  expect((await bench.run(run)).status).toBe("running");
  expect(await bench.end(run)).toMatchObject({ status: "succeeded", updated: 1 });
  expect(await bench.database.query("select status from hosts where ucloud_id = $1", [host])).toEqual([
    { status: "Rebooting" },
  ]);
});

test("a host that a refresh finds while a run decides is not marked gone", async () => {
  const { control } = bench.simulator;
  control.removeHosts({ region: "cn-bj2", count: 1 });
  control.removeHosts({ region: "hk", count: 1 });
  const lookups = () => control.calls().last.filter(({ ids }) => ids.length > 0);
  control.hold({ ...LISTING, byId: true });
  const run = await bench.process.start(configId);
  await control.waitForHeld();
  const [{ region: first, ids: [back = ""] = [] } = {}] = lookups();
  control.release();
  control.hold({ ...LISTING, byId: true, region: first === "hk" ? "cn-bj2" : "hk" });
  await expect.poll(() => lookups().length).toBe(2);
  control.restoreHosts({ ids: [back] });
  bench.clock.forward(1);
  expect((await refresh([back])).get(back)).toBe("present");
  control.release();
  expect(await bench.end(run)).toMatchObject({ gone: 1 });
  expect(await bench.gone()).not.toContain(back);
});

test("a refresh fails when the configuration is deleted meanwhile", async () => {
  const { control } = bench.simulator;
  const [first = ""] = control.hosts({ region: "cn-bj2" }).map(({ id }) => id);
  control.hold({ ...LISTING, byId: true });
  const refreshing = refresh([first]);
  await control.waitForHeld();
  await deleteConfig({ ...bench.process.deps, em: bench.process.deps.em.fork() }, { id: configId });
  control.release();
  expect((await refreshing).get(first)).toMatchObject({ code: "STATE_CONFLICT" });
  expect(await bench.present()).toEqual([]);
});

test("a mass removal is held, counted against present hosts only, and smaller batches are marked gone", async () => {
  const removed = bench.simulator.control.removeHosts({ count: 36 });
  const [first, second] = [removed.slice(0, 18), removed.slice(18)];
  const held = (count: number) => ({
    message: expect.stringContaining(`有 ${count} 台主机未找到，超过主机总数的 30%`),
  });
  expect([...(await refresh(removed)).values()]).toMatchObject(removed.map(() => held(36)));
  expect(await heldCount()).toBe(36);
  expect([...(await refresh(first)).values()]).toEqual(first.map(() => "gone"));
  const again = await refresh(removed);
  expect(first.map((id) => again.get(id))).toEqual(first.map(() => "gone"));
  expect(second.map((id) => again.get(id))).toMatchObject(second.map(() => held(18)));
});

test("hosts of a partition that lists none are gone when they are refreshed again after ten minutes", async () => {
  const hosts = bench.simulator.control.removeHosts({ region: "hk" }).slice(0, 3);
  for (const seconds of [0, 590]) {
    bench.clock.forward(seconds);
    const messages = hosts.map(() => ({ message: expect.stringContaining("10 分钟后再次同步确认") }));
    expect([...(await refresh(hosts)).values()]).toMatchObject(messages);
  }
  bench.clock.forward(15);
  expect([...(await refresh(hosts)).values()]).toEqual(["gone", "gone", "gone"]);
});

test("hosts of a closed region are held however long it lasts", async () => {
  const hosts = (await bench.present()).slice(0, 3);
  bench.simulator.control.addFaults({ ...LISTING, fault: { kind: "retCode", retCode: 230 } });
  for (const seconds of [0, 700]) {
    bench.clock.forward(seconds);
    const messages = hosts.map(() => ({ message: expect.stringMatching(/未开通或项目已不存在.*核实/) }));
    expect([...(await refresh(hosts)).values()]).toMatchObject(messages);
  }
  expect(await heldCount()).toBe(3);
});

async function heldCount(): Promise<number> {
  const [row] = await bench.database.query("select count(missing_since)::int as held from hosts");
  return Number(row?.held);
}

/** The outcomes by the provider's id. */
async function refresh(ucloudIds: readonly string[]): Promise<ReadonlyMap<string, RefreshOutcome>> {
  const rows = await bench.database.query("select id, ucloud_id from hosts where ucloud_id = any($1)", [ucloudIds]);
  const outcomes = await refreshHosts(
    { ...bench.process.deps, em: bench.process.deps.em.fork() },
    rows.map(({ id }) => String(id)),
  );
  return new Map(
    rows.flatMap(({ id, ucloud_id }) => {
      const outcome = outcomes.get(String(id));
      return outcome === undefined ? [] : [[String(ucloud_id), outcome] as const];
    }),
  );
}
