import { describe, expect, test } from "vitest";
import { cancelSync } from "../../../src/server/sync/cancel.ts";
import type { Fault, FaultRule } from "../../../src/simulator/faults.ts";
import { httpStatus } from "../../harness/faults.ts";
import { syncBench } from "../../sync/sync-bench.ts";

const REGIONS = [
  "cn-bj2",
  "cn-sh2",
  "cn-gd",
  "hk",
  "sg",
  "us-ca",
  "ge-fra",
  "th-bkk",
  "kr-seoul",
  "jpn-tky",
  "us-ws",
  "tw-tp",
];
const PROJECTS = 3;
const PLACES = REGIONS.length * PROJECTS;
/** An attempt is given up after 500 ms, a brief question after 125; a provider is silent after 1,500 ms. */
const bench = syncBench(
  { hosts: 400, projects: PROJECTS, regions: REGIONS },
  { attemptTimeoutMs: 500, maxRetries: 1, maxPauseMs: 1_500, retryBaseMs: 2 },
);
const LISTING = { action: "DescribeUHostInstance", byId: false } as const;
const HANG: Fault = { kind: "hang" };
const RESET: Fault = { kind: "reset" };
const SILENT = {
  region: null,
  projectId: null,
  code: "provider-silent",
  message: expect.stringMatching(/没有任何应答.*未能读取 \d+ 个地域：.+请检查/),
};

function listings() {
  return bench.simulator.control
    .calls()
    .last.filter(({ action, ids }) => action === LISTING.action && ids.length === 0);
}

describe("a provider that names its regions and then says nothing any more", () => {
  test.for([
    // Each of 36 places would be asked twice. Who is refused at once is asked again and again for a while.
    ["hangs", HANG, 50],
    ["resets every connection", RESET, 250],
  ] as const)(
    "and %s ends the run early, in one sentence, and is asked in every region first",
    async ([, fault, fewerCalls]) => {
      const configId = await bench.config();
      // What is not about silence is left to one that a busy machine does not put out of patience.
      const patient = await bench.replica({ attemptTimeoutMs: 6_600, maxRetries: 1 });
      await bench.end(await patient.start(configId));
      const known = await bench.present();
      const [id = ""] = bench.simulator.control.addFaults({ ...LISTING, fault });
      bench.simulator.control.resetCalls();
      const started = performance.now();
      const run = await bench.sync(configId);
      expect(run).toMatchObject({ status: "failed", regionsTotal: REGIONS.length, gone: 0, hostsSeen: 0 });
      expect(run.errors.filter(({ region }) => region === null)).toEqual([SILENT]);
      expect(run.regionsDone).toBeLessThan(5);
      // What was asked before there was anything to suspect.
      expect(run.errors.length).toBeLessThanOrEqual(1 + 5);
      expect(new Set(listings().map(({ region }) => region)).size).toBe(REGIONS.length);
      expect(listings().length).toBeLessThan(fewerCalls);
      // All of them would take fifteen seconds.
      expect(performance.now() - started).toBeLessThan(9_000);
      expect(await bench.present()).toEqual(known);
      bench.simulator.control.removeFault(id);
      const after = await bench.end(await patient.start(configId));
      expect(after).toMatchObject({ status: "succeeded", gone: 0, unchanged: 400, errors: [] });
    },
  );

  test("in the middle of a run leaves what was read, and marks nothing gone although something is missing", async () => {
    const configId = await bench.config();
    await bench.sync(configId);
    bench.simulator.control.removeHosts({ region: "cn-bj2", count: 2 });
    bench.simulator.control.addHosts({ region: "cn-bj2", count: 1 });
    bench.simulator.control.addFaults({ ...LISTING, nth: 20, times: 100_000, fault: HANG });
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", created: 1, gone: 0 });
    expect(run.errors.filter(({ region }) => region === null)).toEqual([SILENT]);
    expect(run.regionsDone).toBeGreaterThan(0);
    expect(run.regionsDone).toBeLessThan(REGIONS.length);
    expect((await bench.gone()).length).toBe(0);
  });

  test("when it is asked for what is missing is not asked place by place for ever", async () => {
    const configId = await bench.config();
    await bench.sync(configId);
    const places = [...Map.groupBy(bench.simulator.control.hosts(), ({ region, projectId }) => region + projectId)];
    const ids = places.slice(0, 12).flatMap(([, [host]]) => (host === undefined ? [] : [host.id]));
    bench.simulator.control.removeHosts({ ids });
    bench.simulator.control.addFaults({ action: LISTING.action, byId: true, fault: HANG });
    bench.simulator.control.resetCalls();
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", gone: 0 });
    expect(run.errors.map(({ code }) => code)).toEqual(["timeout", "timeout", "timeout", "provider-silent"]);
    expect(bench.simulator.control.calls().last.filter((call) => call.ids.length > 0)).toHaveLength(6);
  });
});

test("a run that hears nothing stops at once when it is cancelled, and when its process ends", async () => {
  const configId = await bench.config();
  bench.simulator.control.addFaults({ ...LISTING, fault: HANG });
  const { deps, worker } = bench.process;
  for (const [stop, status] of [
    [(id: string) => cancelSync({ ...deps, em: deps.em.fork() }, { id }), "cancelled"],
    [() => worker[Symbol.asyncDispose](), "interrupted"],
  ] as const) {
    bench.simulator.control.resetCalls();
    const id = await bench.process.start(configId);
    // Each of the first five is tried twice; what comes after is brief.
    await expect.poll(() => listings().length, { timeout: 5_000 }).toBeGreaterThan(12);
    const started = performance.now();
    await stop(id);
    expect(await bench.run(id)).toMatchObject({ status, gone: 0 });
    expect(performance.now() - started).toBeLessThan(1_000);
  }
});

describe("of a small account", () => {
  /** With the patience of real use: a minute for a provider that says nothing. */
  const small = syncBench(
    { hosts: 60, projects: 3, regions: ["cn-bj2", "cn-sh2", "cn-gd", "hk", "sg"] },
    { attemptTimeoutMs: 500, maxRetries: 1, retryBaseMs: 2 },
  );

  test("the run does not wait longer for an answer than asking everybody in vain would take", async () => {
    const configId = await small.config();
    small.simulator.control.addFaults({ ...LISTING, fault: RESET });
    const run = await small.sync(configId);
    expect(run).toMatchObject({ status: "failed", gone: 0 });
    expect(run.errors.filter(({ region }) => region === null)).toEqual([SILENT]);
  });

  test("a silence now and then does not keep it from looking on for what is missing: every answer counts anew", async () => {
    const configId = await small.config();
    const patient = await small.replica({ attemptTimeoutMs: 1_000, maxRetries: 1 });
    await small.end(await patient.start(configId));
    const places = [...Map.groupBy(small.simulator.control.hosts(), ({ region, projectId }) => region + projectId)];
    const ids = places.slice(0, 6).flatMap(([, [host]]) => (host === undefined ? [] : [host.id]));
    small.simulator.control.removeHosts({ ids });
    // Every second place is silent: it is asked twice, the one after it once.
    const lookUp = { action: LISTING.action, byId: true, times: 2, fault: HANG };
    small.simulator.control.addFaults(...[1, 4, 7].map((nth) => ({ ...lookUp, nth })));
    const run = await small.end(await patient.start(configId));
    expect(run).toMatchObject({ status: "partial", gone: 3 });
    expect(run.errors.map(({ code }) => code)).toEqual(["timeout", "timeout", "timeout"]);
  });
});

describe("in a single region of many projects", () => {
  const single = syncBench(
    { hosts: 240, projects: 12, regions: ["cn-bj2"] },
    { attemptTimeoutMs: 500, maxRetries: 1, maxPauseMs: 1_500, retryBaseMs: 2 },
  );

  test("those that answer are read although the first eight hang", async () => {
    const configId = await single.config();
    const silent = single.simulator.control
      .projects()
      .slice(0, 8)
      .map(({ id }) => id);
    single.simulator.control.addFaults(...silent.map((projectId) => ({ ...LISTING, projectId, fault: HANG })));
    const run = await single.sync(configId);
    expect(run).toMatchObject({ status: "partial", gone: 0 });
    const found = single.simulator.control.hosts().filter(({ projectId }) => !silent.includes(projectId));
    expect(await single.present()).toEqual(found.map(({ id }) => id).toSorted());
  });

  test("the run ends in one sentence when none answers", async () => {
    const configId = await single.config();
    single.simulator.control.addFaults({ ...LISTING, fault: HANG });
    const run = await single.sync(configId);
    expect(run).toMatchObject({ status: "failed", gone: 0 });
    expect(run.errors.filter(({ region }) => region === null)).toEqual([SILENT]);
    expect(run.errors.length).toBeLessThanOrEqual(1 + 5);
  });
});

describe("a run goes on to its end", () => {
  /** What the run must find: everything but what is where nobody answers. */
  async function expectAllBut(
    rules: readonly FaultRule[],
    isSilent: (place: { region: string; projectId: string }) => boolean,
  ) {
    const configId = await bench.config();
    bench.simulator.control.addFaults(...rules);
    const run = await bench.sync(configId);
    const found = bench.simulator.control.hosts().filter((host) => !isSilent(host));
    expect(await bench.present()).toEqual(found.map(({ id }) => id).toSorted());
    expect(run).toMatchObject({ status: "partial", gone: 0 });
    return run;
  }

  test("when one region hangs, the first", async () => {
    const run = await expectAllBut(
      [{ ...LISTING, region: "cn-bj2", fault: HANG }],
      ({ region }) => region === "cn-bj2",
    );
    expect(run.errors.map(({ region }) => region)).toEqual(Array(PROJECTS).fill("cn-bj2"));
  });

  test.for([HANG, RESET])("when the first six regions are silent (%o)", async (fault) => {
    const silent = REGIONS.slice(0, 6);
    const rules = silent.map((region) => ({ ...LISTING, region, fault }));
    const run = await expectAllBut(rules, ({ region }) => silent.includes(region));
    expect(run.errors.every((error) => error.region === null || silent.includes(error.region))).toBe(true);
  });

  test("when the last six regions hang", async () => {
    const silent = REGIONS.slice(-6);
    const rules = silent.map((region) => ({ ...LISTING, region, fault: HANG }));
    const run = await expectAllBut(rules, ({ region }) => silent.includes(region));
    expect(run.errors.every((error) => error.region === null || silent.includes(error.region))).toBe(true);
  });

  test("when one project hangs, in all regions", async () => {
    const [projectId = ""] = bench.simulator.control.projects().map(({ id }) => id);
    const run = await expectAllBut([{ ...LISTING, projectId, fault: HANG }], (place) => place.projectId === projectId);
    expect(run.errors.every((error) => error.region === null || error.projectId === projectId)).toBe(true);
  });

  test("when nobody answers for longer than a call is tried, but not for as long as that it is believed", async () => {
    const configId = await bench.config();
    bench.simulator.control.addFaults({ ...LISTING, nth: 1, times: 15, fault: HANG });
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", regionsDone: REGIONS.length });
    expect(run.errors).toHaveLength(5);
    const unread = run.errors.map(({ region, projectId }) => `${region} ${projectId}`);
    const found = bench.simulator.control
      .hosts()
      .filter((host) => !unread.includes(`${host.region} ${host.projectId}`));
    expect(await bench.present()).toEqual(found.map(({ id }) => id).toSorted());
  });

  test("when everybody answers late, after a silence: later than a brief question waits", async () => {
    const configId = await bench.config();
    bench.simulator.control.addFaults(
      { ...LISTING, nth: 1, times: 10, fault: HANG },
      { ...LISTING, nth: 1, times: 25, fault: { kind: "slow", ms: 280 } },
    );
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", regionsDone: REGIONS.length });
    expect(run.errors).toHaveLength(5);
  });

  test.for([
    ["a short silence", { ...LISTING, nth: 1, times: 5, fault: HANG }],
    ["connections that are reset for a while", { ...LISTING, nth: 1, times: 15, fault: RESET }],
    ["being throttled for a while", { ...LISTING, times: 12, fault: { kind: "retCode", retCode: 153 } }],
    ["being told to wait", { ...LISTING, nth: 1, times: 5, fault: httpStatus(503, 1) }],
  ] as const)("with everything, after %s", async ([, rule]) => {
    const configId = await bench.config();
    bench.simulator.control.addFaults(rule);
    const process = await bench.replica({ maxRetries: 3 });
    expect(await bench.end(await process.start(configId))).toMatchObject({
      status: "succeeded",
      created: 400,
      errors: [],
    });
  });

  test.for([
    ["RetCode 110", { kind: "retCode", retCode: 110 }],
    ["HTTP 504", httpStatus(504)],
  ] as const)("and asks every place when each of them answers with %s, which is an answer", async ([, fault]) => {
    const configId = await bench.config();
    bench.simulator.control.addFaults({ ...LISTING, fault });
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "failed", regionsDone: REGIONS.length });
    expect(run.errors).toHaveLength(PLACES);
  });
});
