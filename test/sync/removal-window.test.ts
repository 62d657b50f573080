import { describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { assertOk } from "../harness/rest.ts";
import { LOOKUP, useSync } from "./sync-fixture.ts";

const HOUR_AND_A_BIT = 3_617;
const DAY_AND_A_BIT = DAY_SECONDS + 137;

describe("removals within 24 hours", () => {
  const { app, clock, start, end, sync, present, gone, held } = useSync({
    hosts: 100,
    regions: ["cn-bj2"],
  });

  /** A configuration whose 100 hosts have been known for so long. */
  async function syncedConfig(seconds: number): Promise<string> {
    const configId = await app.config();
    await sync(configId);
    clock.forward(seconds);
    return configId;
  }

  function removeHosts(count: number): string[] {
    return app.simulator.control.removeHosts({ count });
  }

  async function idsOf(ucloudIds: readonly string[]): Promise<string[]> {
    const rows = await app.database.query("select id from hosts where ucloud_id = any($1)", [
      ucloudIds,
    ]);
    return rows.map(({ id }) => String(id));
  }

  it("are counted together: hourly runs that lose 29 % each remove no more than 30 %", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    const gonePerRun: number[] = [];

    for (const count of [29, 20, 14, 10]) {
      removeHosts(count);
      gonePerRun.push((await sync(configId)).gone);
      clock.forward(HOUR_AND_A_BIT);
    }

    expect(gonePerRun).toEqual([29, 0, 0, 0]);
    expect(await held()).toHaveLength(20 + 14 + 10);
    expect(await present()).toHaveLength(71);
  });

  it("are named in the error of the run that holds the others", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    removeHosts(29);
    await sync(configId);

    removeHosts(7);
    const run = await sync(configId);

    const message = expect.stringMatching(
      /有 7 台主机（共 100 台）未再出现.*24 小时内另有 29 台.*30%/,
    );
    expect(run).toMatchObject({
      status: "partial",
      gone: 0,
      errors: [{ code: "mass-removal", message }],
    });
  });

  it("do not count any more when a day has passed", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    removeHosts(29);
    expect(await sync(configId)).toMatchObject({ gone: 29 });

    clock.forward(DAY_AND_A_BIT);
    removeHosts(20);

    expect(await sync(configId)).toMatchObject({ status: "succeeded", gone: 20 });
  });

  it("are compared with the hosts of a day ago, not with those that came since", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    app.simulator.control.addHosts({ region: "cn-bj2", projectId: projectId(), count: 100 });
    expect(await sync(configId)).toMatchObject({ created: 100 });
    clock.forward(HOUR_AND_A_BIT);

    removeHosts(31);

    expect(await sync(configId)).toMatchObject({
      status: "partial",
      gone: 0,
      errors: [{ code: "mass-removal" }],
    });
  });

  it("of a configuration that is new are compared with all its hosts", async () => {
    const configId = await syncedConfig(HOUR_AND_A_BIT);
    removeHosts(29);
    const first = await sync(configId);
    removeHosts(2);
    const second = await sync(configId);

    expect(first).toMatchObject({ status: "succeeded", gone: 29 });
    expect(second).toMatchObject({
      status: "partial",
      gone: 0,
      errors: [{ code: "mass-removal" }],
    });
  });

  it("do not count when a person confirmed them", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    removeHosts(40);
    await sync(configId);
    await assertOk(app.root.post("/api/hosts/held-removals/confirm", { configId, all: true }));
    expect(await gone()).toHaveLength(40);

    removeHosts(18);

    expect(await sync(configId)).toMatchObject({ status: "succeeded", gone: 18 });
  });

  it("count when a host that was confirmed as gone came back and is missing again", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    const { control } = app.simulator;
    const removed = removeHosts(40);
    await sync(configId);
    await assertOk(app.root.post("/api/hosts/held-removals/confirm", { configId, all: true }));
    control.restoreHosts();
    await sync(configId);

    control.removeHosts({ ids: removed.slice(0, 17) });
    expect(await sync(configId)).toMatchObject({ gone: 17 });
    control.removeHosts({ ids: removed.slice(17, 20) });

    // 20 of the 60 that were there for the whole day.
    expect(await sync(configId)).toMatchObject({ status: "partial", gone: 0 });
  });

  it("are limited for two refreshes at the same moment as for one", async () => {
    await syncedConfig(DAY_AND_A_BIT);
    const { control } = app.simulator;
    const removed = removeHosts(40);
    const batches = [await idsOf(removed.slice(0, 20)), await idsOf(removed.slice(20))];
    control.hold(LOOKUP);
    const refreshing = batches.map((hostIds) =>
      app.root.post("/api/hosts/batch", { operation: "sync", hostIds }),
    );
    await expect.poll(() => control.calls().last.length).toBeGreaterThanOrEqual(2);

    control.release();
    await Promise.all(refreshing);

    expect(await gone()).toHaveLength(20);
    expect(await held()).toHaveLength(20);
  });

  it("by a refresh during a run count for the run", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    const { control } = app.simulator;
    const removed = removeHosts(40);
    control.hold({ ...LOOKUP, times: 1 });
    const id = await start(configId);
    await control.waitForHeld();
    const hostIds = await idsOf(removed.slice(0, 20));
    await assertOk(app.root.post("/api/hosts/batch", { operation: "sync", hostIds }));

    control.release();

    expect(await end(id)).toMatchObject({ status: "partial", gone: 0 });
    expect(await gone()).toHaveLength(20);
  });

  function projectId(): string {
    return app.simulator.control.projects()[0]?.id ?? "";
  }
});
