import { beforeEach, expect, test } from "vitest";
import { deleteConfig } from "../../src/server/configs/delete.ts";
import type { Refreshed } from "../../src/server/sync/refresh-group.ts";
import { refreshHosts } from "../../src/server/sync/refresh-hosts.ts";
import { syncBench } from "./sync-bench.ts";

/** Hosts that are asked for by themselves, and what happens meanwhile. */
const bench = syncBench({ hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] });
const LISTING = { action: "DescribeUHostInstance" } as const;
let configId: string;

beforeEach(async () => {
  await bench.config();
  configId = await bench.config();
  await bench.sync(configId);
});

test("a host that the list leaves out but the second look finds speaks for all others of that place", async () => {
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

test("a host that the first look finds but the list leaves out speaks for all others of that place", async () => {
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

test("a host that somebody else has met since is not said to be gone", async () => {
  const { control } = bench.simulator;
  const [away = ""] = control.removeHosts({ region: "cn-bj2", count: 1 });
  control.hold({ action: "GetProjectList" });
  const refreshing = refresh([away]);
  await control.waitForHeld();
  control.restoreHosts();
  bench.clock.forward(5);
  expect((await refresh([away])).get(away)).toBe("present");
  control.release();
  expect((await refreshing).get(away)).toBe("present");
  expect(await bench.gone()).toEqual([]);
});

test("bug: a page that was long in coming took back what had been heard of a host meanwhile", async () => {
  const { control } = bench.simulator;
  const [host = ""] = control.hosts({ region: "hk" }).map(({ id }) => id);
  const status = () => bench.database.query("select status, gone_at from hosts where ucloud_id = $1", [host]);
  control.updateHosts({ ids: [host] }, { State: "Running", Name: "改名" });
  const late = { ...LISTING, region: "hk", byId: false } as const;
  const [fault] = control.addFaults({ ...late, fault: { kind: "slowDrip", everyMs: 250, bytes: 2_500 } });
  control.resetCalls();
  const run = await bench.process.start(configId);
  await expect
    .poll(() =>
      control
        .calls()
        .last.some(({ action, region, retCode }) => action === LISTING.action && region === "hk" && retCode === 0),
    )
    .toBe(true);
  control.updateHosts({ ids: [host] }, { State: "Stopped" });
  bench.clock.forward(5);
  expect((await refresh([host])).get(host)).toBe("present");
  expect((await bench.run(run)).status).toBe("running");
  expect(await bench.end(run)).toMatchObject({ status: "succeeded", updated: 0, unchanged: 60 });
  expect(await status()).toEqual([{ status: "Stopped", gone_at: null }]);
  control.removeFault(String(fault));
  control.updateHosts({ ids: [host] }, { State: "Rebooting" });
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", updated: 1 });
  expect(await status()).toEqual([{ status: "Rebooting", gone_at: null }]);
});

test("a look that took long keeps out nothing that a run has heard of a host after it", async () => {
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

test.for([0, -5])(
  "a host that is met while a run looks for others is not gone, with clocks %i seconds apart",
  async (apart) => {
    const { control } = bench.simulator;
    control.removeHosts({ region: "cn-bj2", count: 1 });
    control.removeHosts({ region: "hk", count: 1 });
    const looks = () => control.calls().last.filter(({ ids }) => ids.length > 0);
    control.hold({ ...LISTING, byId: true });
    const run = await bench.process.start(configId);
    await control.waitForHeld();
    const [{ region: first, ids: [back = ""] = [] } = {}] = looks();
    control.release();
    control.hold({ ...LISTING, byId: true, region: first === "hk" ? "cn-bj2" : "hk" });
    await expect.poll(() => looks().length).toBe(2);
    control.restoreHosts({ ids: [back] });
    bench.clock.step(apart);
    expect((await refresh([back])).get(back)).toBe("present");
    control.release();
    expect(await bench.end(run)).toMatchObject({ gone: 1 });
    expect(await bench.gone()).not.toContain(back);
  },
);

test.for([
  ["while they are there", "present"],
  ["while their place is empty", "empty"],
])("hosts whose configuration is deleted meanwhile are told so, %s", async ([, state]) => {
  const { control } = bench.simulator;
  const [first = ""] = control.hosts({ region: "cn-bj2" }).map(({ id }) => id);
  if (state === "empty") control.removeHosts({ region: "cn-bj2" });
  control.hold({ ...LISTING, byId: true });
  const refreshing = refresh([first]);
  await control.waitForHeld();
  const em = bench.process.deps.em.fork();
  await deleteConfig({ ...bench.process.deps, em }, { id: configId });
  control.release();
  expect((await refreshing).get(first)).toMatchObject({ code: "STATE_CONFLICT" });
  expect(await bench.present()).toEqual([]);
});

/** What became of them, by the provider's id. */
async function refresh(ucloudIds: readonly string[]): Promise<ReadonlyMap<string, Refreshed>> {
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
