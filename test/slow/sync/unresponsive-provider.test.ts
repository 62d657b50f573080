import { describe, expect, test } from "vitest";
import type { SyncRun } from "../../../src/shared/sync.ts";
import type { Fault } from "../../../src/simulator/faults.ts";
import { useApp } from "../../harness/app.ts";
import { Stopwatch } from "../../harness/stopwatch.ts";
import { LISTING, LOOKUP, useSync } from "../../sync/sync-fixture.ts";

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
];
const HANG: Fault = { kind: "hang" };
/** One less than a process executes at a time. */
const HANGING = 7;
/** Less than an attempt of those that hang may last, in ms. */
const WITHOUT_WAITING_MS = 15_000;

describe("when the provider stops answering", () => {
  // One region has more projects than calls are made at once.
  const simulated = { hosts: 1_200, projects: 12, regions: REGIONS };
  const { app, sync, gone } = useSync(simulated, {
    attemptTimeoutMs: 700,
    maxPauseMs: 1_500,
    retryBaseMs: 2,
  });

  test.for([HANG, { kind: "reset" }] as const)(
    "in the middle of a run, the run ends early and marks nothing gone (%o)",
    async (fault) => {
      const configId = await app.config();
      await sync(configId);
      const { control } = app.simulator;
      // The last region in the provider's order.
      control.removeHosts({ region: "jpn-tky", count: 2 });
      control.resetCalls();
      const [faultId = ""] = control.addFaults({ ...LISTING, nth: 10, times: 100_000, fault });
      const run = await sync(configId);
      expect(run).toMatchObject({ status: "partial", gone: 0 });
      expect(run.errors.filter(({ region }) => region === null)).toMatchObject([
        { code: "provider-silent" },
      ]);
      expect(run.regionsDone).toBeLessThan(REGIONS.length);
      // 120 partitions of four attempts each would be 480.
      expect(control.calls().byAction[LISTING.action]).toBeLessThan(50);
      control.removeFault(faultId);
      expect(await sync(configId)).toMatchObject({ status: "succeeded", gone: 2, errors: [] });
    },
  );

  test("in one region of many projects, its hosts stay and other regions are read", async () => {
    const configId = await app.config();
    await sync(configId);
    const { control } = app.simulator;
    control.removeHosts({ region: "cn-bj2", count: 1 });
    const removed = control.removeHosts({ region: "sg", count: 2 });
    control.addFaults({ ...LISTING, region: "cn-bj2", fault: HANG });

    const run = await sync(configId);

    expect(run).toMatchObject({ status: "partial", gone: 2 });
    expect(await gone()).toEqual(removed.toSorted());
  });

  test("to requests by id only, the run is partial and marks nothing gone", async () => {
    const configId = await app.config();
    await sync(configId);
    const { control } = app.simulator;
    for (const region of REGIONS) control.removeHosts({ region, count: 1 });
    control.addFaults({ ...LOOKUP, fault: HANG });

    const run = await sync(configId);

    expect(run).toMatchObject({ status: "partial", gone: 0 });
    expect(run.errors).toContainEqual(expect.objectContaining({ code: "provider-silent" }));
  });
});

describe("a provider that hangs", () => {
  const app = useApp({ simulator: { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] } });

  test("delays no other configuration, though seven hang", async () => {
    for (let i = 0; i < HANGING; i++) await app.config();
    const { control, sub, publicKey } = app.simulator;
    const [project] = control.projects();
    control.hold({ publicKey });
    const { runs } = (await app.root.post("/api/hosts/sync?wait=0")).data;
    expect(runs.map(({ status }: SyncRun) => /queued|running/.test(status))).toEqual(
      Array(HANGING).fill(true),
    );
    await control.waitForHeld();

    const healthy = await app.config({ ...sub, projectIds: [project?.id] });
    using stopwatch = new Stopwatch();
    const [run] = (await app.root.post(`/api/hosts/sync?configId=${healthy}&wait=25`)).data.runs;
    expect(stopwatch.read()).toBeLessThan(WITHOUT_WAITING_MS);
    // This key may not list regions.
    const readable = control.hosts({ region: "cn-bj2" }).length;
    expect(run).toMatchObject({
      status: "partial",
      created: readable,
      errors: [{ code: "regions-refused" }],
    });

    for (const { id } of runs) await expect.poll(() => countProgress(id)).toBeGreaterThan(1);
    control.release();
    const ended = (await app.root.post("/api/hosts/sync?wait=25")).data.runs;
    const incomplete = ended.filter(({ status }: SyncRun) => status !== "succeeded");
    expect(incomplete.map(({ status }: SyncRun) => status)).toEqual(["partial"]);
  });

  test("ends a connection test before the console gives up", async () => {
    const id = await app.config();
    app.simulator.control.addFaults({ fault: { kind: "hang" } });
    using stopwatch = new Stopwatch();

    const answer = await app.root.post(`/api/hosts/configs/${id}/test`);

    expect(stopwatch.read()).toBeLessThan(28_000);
    expect(answer.status).toBe(200);
    expect(answer.data.steps[0]).toMatchObject({
      ok: false,
      message: expect.stringContaining("超时"),
    });
  });

  test("ends the confirmation of all held removals in time", async () => {
    const configId = await app.config();
    await app.root.post("/api/hosts/sync");
    const first = "where id in (select id from hosts order by id limit";
    await app.database.query(
      `update hosts set missing_since = 1, held_reason = 'mass-removal' ${first} 20)`,
    );
    await app.database.query(`update hosts set region = 'sg' ${first} 5)`);
    app.simulator.control.addFaults({
      action: "DescribeUHostInstance",
      region: "sg",
      fault: { kind: "hang" },
    });
    using stopwatch = new Stopwatch();

    const { data } = await app.root.post("/api/hosts/held-removals/confirm", {
      configId,
      all: true,
    });
    expect(stopwatch.read()).toBeLessThan(28_000);
    const left = data.results.filter(({ ok }: { readonly ok: boolean }) => !ok);
    expect([data.results.length, left.length]).toEqual([20, 5]);
    expect(left[0]).toMatchObject({ code: "PROVIDER_TIMEOUT", message: expect.any(String) });
  });

  async function countProgress(id: string): Promise<unknown> {
    const [row] = await app.database.query(
      "select count(*)::int as events from events where type = 'sync.progress' and payload->>'id' = $1",
      [id],
    );
    return row?.events;
  }
});
