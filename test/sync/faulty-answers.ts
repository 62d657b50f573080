import { expect } from "vitest";
import type { FaultRule } from "../../src/simulator/faults.ts";
import type { SyncBench } from "./sync-bench.ts";

export const LISTING = { action: "DescribeUHostInstance", region: "cn-bj2", byId: false } as const;
export const SECOND_PAGE = { ...LISTING, offset: 100 } as const;

/** Syncs known hosts under these faults: the run is partial, and no host is lost or doubled. */
export async function expectNoLoss(bench: SyncBench, ...rules: readonly FaultRule[]): Promise<void> {
  const configId = await bench.config();
  await bench.sync(configId);
  const known = await bench.present();
  const faults = bench.simulator.control.addFaults(...rules);
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", created: 0, gone: 0 });
  expect(run.errors.length).toBeGreaterThan(0);
  expect(run.errors.filter(({ message }) => !/[一-龥].*请/.test(message))).toEqual([]);
  expect(run.regionsDone).toBe(run.regionsTotal);
  expect(run.hostsTotal).toBeGreaterThanOrEqual(run.hostsSeen);
  expect(run.hostsSeen).toBeLessThanOrEqual(known.length);
  expect(await bench.present()).toEqual(known);
  for (const fault of faults) bench.simulator.control.removeFault(fault);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 0, errors: [] });
}
