import { describe, expect, test } from "vitest";
import type { FaultRule } from "../../../src/simulator/faults.ts";
import {
  dropHostField,
  EMPTY_ANSWER,
  FIRST_PAGE_ALWAYS,
  growingTotal,
  httpStatus,
  NOT_JSON,
  overlappingPages,
  redirect,
  setField,
  shortPages,
  wrongTotal,
} from "../../harness/faults.ts";
import { syncBench } from "../../sync/sync-bench.ts";

const bench = syncBench({ hosts: 400, projects: 1, regions: ["cn-bj2", "hk"] }, { attemptTimeoutMs: 1_700 });
const LISTING = { action: "DescribeUHostInstance", region: "cn-bj2", byId: false } as const;
const SECOND_PAGE = { ...LISTING, offset: 100 } as const;

const TOO_MANY = Array.from({ length: 1_200 }, (_, index) => ({ UHostId: `uhost-${index}` }));
const FIRST_PAGE_FOR_EVER: FaultRule = { ...LISTING, fault: FIRST_PAGE_ALWAYS };

const UNRELIABLE_ANSWERS: Readonly<Record<string, FaultRule>> = {
  "a region whose permission was taken away": { ...LISTING, fault: { kind: "retCode", retCode: 299 } },
  "HTML instead of JSON": { ...SECOND_PAGE, fault: NOT_JSON },
  "hosts without an id": { ...LISTING, fault: dropHostField("UHostId", 10) },
  "an empty answer where hosts were": { ...LISTING, fault: EMPTY_ANSWER },
  "overlapping pages": { ...LISTING, fault: overlappingPages(99) },
  "connections that are reset": { ...LISTING, fault: { kind: "reset", at: "middle" } },
  "a total that always moves": { ...LISTING, fault: growingTotal(3) },
  "a redirect": { ...LISTING, fault: redirect("http://169.254.169.254/") },
  "a page that always fails": { ...SECOND_PAGE, fault: httpStatus(500) },
  "a page that hangs": { ...SECOND_PAGE, fault: { kind: "hang" } },
  "a page that drips": { ...SECOND_PAGE, fault: { kind: "slowDrip", everyMs: 50 } },
  "JSON that stops in the middle": { ...SECOND_PAGE, fault: { kind: "truncatedJson" } },
  "an answer of 20 MB": { ...SECOND_PAGE, fault: { kind: "hugeBody", mebibytes: 20, gzip: true } },
  "a total that is too large": { ...LISTING, fault: wrongTotal(350) },
  "a total that is too small": { ...LISTING, fault: wrongTotal(-150) },
  "a total that grows faster than it can be read": { ...LISTING, fault: growingTotal(1_000) },
  "the first page for ever": FIRST_PAGE_FOR_EVER,
  "short pages": { ...LISTING, fault: shortPages(60) },
  "a page of twelve times as many hosts as requested": { ...SECOND_PAGE, fault: setField("UHostSet", TOO_MANY) },
};

describe("a run over known hosts ends as partial, loses none and doubles none, when the provider answers with", () => {
  test.for(Object.entries(UNRELIABLE_ANSWERS))("%s", ([, rule]) => expectNoLoss(rule));

  test("the first page for ever under a growing total", () =>
    expectNoLoss(FIRST_PAGE_FOR_EVER, { ...LISTING, fault: growingTotal(500) }));
});

test("overlapping pages that bring every announced host make a complete run", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.addFaults({ ...LISTING, fault: { kind: "duplicateHosts", which: "all" } });
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 0, unchanged: 400 });
});

/** Syncs known hosts under these faults: the run is partial, and no host is lost or doubled. */
async function expectNoLoss(...rules: readonly FaultRule[]): Promise<void> {
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
