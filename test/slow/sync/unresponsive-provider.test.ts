import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { cancelSync } from "../../../src/server/sync/end-run.ts";
import type { Fault } from "../../../src/simulator/faults.ts";
import { type SyncBench, syncBench } from "../../sync/sync-bench.ts";

const REGIONS = ["cn-bj2", "cn-sh2", "cn-gd", "hk", "sg", "us-ca", "ge-fra", "th-bkk", "kr-seoul", "jpn-tky"];
const OPTIONS = { hosts: 400, projects: 3, regions: REGIONS };
const LISTING = { action: "DescribeUHostInstance", byId: false } as const;
const HANG: Fault = { kind: "hang" };

function listings({ simulator }: SyncBench): number {
  return simulator.control.calls().byAction[LISTING.action] ?? 0;
}

describe("when the provider stops answering", () => {
  const bench = syncBench(OPTIONS, { attemptTimeoutMs: 700, maxPauseMs: 1_500, retryBaseMs: 2 });

  test.for([HANG, { kind: "reset" }] as const)(
    "in the middle of a run, the run ends early with one error and marks nothing gone, and the next one is complete (%o)",
    async (fault) => {
      const configId = await bench.config();
      await bench.sync(configId);
      const { control } = bench.simulator;
      // The last region in the provider's order.
      control.removeHosts({ region: "jpn-tky", count: 2 });
      control.resetCalls();
      const [faultId = ""] = control.addFaults({ ...LISTING, nth: 10, times: 100_000, fault });
      const run = await bench.sync(configId);
      expect(run).toMatchObject({ status: "partial", gone: 0 });
      expect(run.errors.filter(({ region }) => region === null)).toMatchObject([{ code: "provider-silent" }]);
      expect(run.regionsDone).toBeLessThan(REGIONS.length);
      // 30 partitions of four attempts each would be 120.
      expect(listings(bench)).toBeLessThan(50);
      control.removeFault(faultId);
      expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 2, errors: [] });
    },
  );

  test("in one region, its hosts stay and the missing hosts of other regions are marked gone", async () => {
    const configId = await bench.config();
    await bench.sync(configId);
    const { control } = bench.simulator;
    control.removeHosts({ region: "cn-bj2", count: 1 });
    const removed = control.removeHosts({ region: "sg", count: 2 });
    control.addFaults({ ...LISTING, region: "cn-bj2", fault: HANG });
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", gone: 2 });
    expect(await bench.gone()).toEqual(removed.toSorted());
  });

  test("to requests by id only, the run is partial and marks nothing gone", async () => {
    const configId = await bench.config();
    await bench.sync(configId);
    const { control } = bench.simulator;
    for (const region of REGIONS) control.removeHosts({ region, count: 1 });
    control.addFaults({ action: LISTING.action, byId: true, fault: HANG });
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", gone: 0 });
    expect(run.errors).toContainEqual(expect.objectContaining({ code: "provider-silent" }));
  });
});

describe("when one region of many projects hangs", () => {
  const bench = syncBench(
    { hosts: 300, projects: 12, regions: ["cn-bj2", "hk", "sg"] },
    { attemptTimeoutMs: 700, retryBaseMs: 2 },
  );

  test("the other regions are read", async () => {
    bench.simulator.control.addFaults({ ...LISTING, region: "cn-bj2", fault: HANG });
    const run = await bench.sync(await bench.config());
    const others = bench.simulator.control.hosts().filter(({ region }) => region !== "cn-bj2");
    expect(run).toMatchObject({ status: "partial", created: others.length });
  });
});

describe("when the provider is slow", () => {
  const bench = syncBench(OPTIONS);

  test("a cancelled run makes no more calls after two seconds", async () => {
    const configId = await bench.config();
    bench.simulator.control.addFaults({ ...LISTING, fault: { kind: "slow", ms: 800 } });
    const { deps } = bench.process;
    const id = await bench.process.start(configId);
    await expect.poll(() => listings(bench)).toBeGreaterThan(0);
    await cancelSync({ ...deps, em: deps.em.fork() }, { id });
    expect(await bench.run(id)).toMatchObject({ status: "cancelled", gone: 0 });
    await sleep(2_000);
    const calls = listings(bench);
    await sleep(1_000);
    expect(listings(bench)).toBe(calls);
  });
});
