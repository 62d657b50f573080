import { describe, expect, it } from "vitest";
import { CountedRemovals } from "../../src/server/platform/database/migrations/0019-counted-removals.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
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

  function addHosts(count: number): string[] {
    const [project] = app.simulator.control.projects();
    return app.simulator.control.addHosts({
      region: "cn-bj2",
      projectId: project?.id ?? "",
      count,
    });
  }

  async function idsOf(ucloudIds: readonly string[]): Promise<string[]> {
    const rows = await app.database.query("select id from hosts where ucloud_id = any($1)", [
      ucloudIds,
    ]);
    return rows.map(({ id }) => String(id));
  }

  /** What the migration does to the rows of the version before. */
  async function releaseHolds(): Promise<void> {
    const statements: string[] = [];
    CountedRemovals.prototype.up.call({ addSql: (text: string) => statements.push(text) });
    await app.database.query(statements.at(-1) ?? "");
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
      /有 7 台主机（24 小时前共 100 台）未再出现.*24 小时内另有 29 台.*30%/,
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
    addHosts(100);
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
    control.removeHosts({ ids: removed.slice(17, 31) });

    expect(await sync(configId)).toMatchObject({ status: "partial", gone: 0 });
  });

  it("do not count a host that came back after more than a day", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    const { control } = app.simulator;
    const removed = removeHosts(29);
    expect(await sync(configId)).toMatchObject({ gone: 29 });
    clock.forward(DAY_AND_A_BIT);
    control.restoreHosts();
    await sync(configId);

    control.removeHosts({ ids: removed });
    removeHosts(10);

    expect(await sync(configId)).toMatchObject({ status: "succeeded", gone: 39 });
  });

  it.each([
    ["an hour", { every: HOUR_AND_A_BIT, count: 40, rounds: 1 }],
    ["16 hours", { every: 8 * HOUR_AND_A_BIT, count: 30, rounds: 2 }],
  ])("do not count hosts that live for %s", async (_life, { every, count, rounds }) => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    const alive: string[][] = [];
    const runs: SyncRun[] = [];

    for (let round = 0; round < 7; round++) {
      alive.push(addHosts(count));
      runs.push(await sync(configId));
      clock.forward(every);
      if (alive.length === rounds) app.simulator.control.removeHosts({ ids: alive.shift() ?? [] });
    }

    expect(runs.map(({ gone }) => gone).slice(rounds)).toEqual(Array(7 - rounds).fill(count));
    expect(runs).toMatchObject(Array(7).fill({ status: "succeeded", created: count }));
    expect(await held()).toEqual([]);
  });

  it("of old hosts hold those that came within the day, too, and name them apart", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    const added = addHosts(10);
    await sync(configId);
    clock.forward(HOUR_AND_A_BIT);
    app.simulator.control.removeHosts({ ids: added });
    removeHosts(40);

    const run = await sync(configId);

    const message = expect.stringMatching(
      /有 40 台主机（24 小时前共 100 台）未再出现.*另有 10 台新增不足 24 小时/,
    );
    expect(run).toMatchObject({ gone: 0, errors: [{ code: "mass-removal", message }] });
    expect(await held()).toHaveLength(50);
  });

  it("of a new configuration are not compared with hosts that the same run finds", async () => {
    const configId = await syncedConfig(HOUR_AND_A_BIT);
    removeHosts(31);
    addHosts(100);

    const run = await sync(configId);

    const message = expect.stringContaining("有 31 台主机（共 100 台）未再出现");
    expect(run).toMatchObject({ created: 100, gone: 0, errors: [{ message }] });
  });

  it("go on one by one while a mass removal waits for a person", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    const massRemoved = removeHosts(40);
    await sync(configId);
    const runs: SyncRun[] = [];

    for (let days = 0; days < 3; days++) {
      clock.forward(DAY_AND_A_BIT);
      removeHosts(1);
      runs.push(await sync(configId));
    }

    const message = expect.stringMatching(/有 40 台主机仍未再出现.*不影响其他主机.*待确认消失/);
    const errors = [{ code: "mass-removal", message }];
    expect(runs).toMatchObject(Array(3).fill({ status: "partial", gone: 1, errors }));
    expect(await held()).toEqual(massRemoved.toSorted());
  });

  it("are not compared with hosts that a mass removal holds already", async () => {
    const configId = await syncedConfig(DAY_AND_A_BIT);
    removeHosts(60);
    await sync(configId);
    clock.forward(DAY_AND_A_BIT);

    removeHosts(15);
    const run = await sync(configId);

    const message = expect.stringMatching(/有 15 台主机（24 小时前共 40 台）.*此前的 60 台也仍待/);
    expect(run).toMatchObject({ gone: 0, errors: [{ code: "mass-removal", message }] });
    expect(await held()).toHaveLength(75);
  });

  it("that an earlier version held one by one are judged anew after the upgrade", async () => {
    const configId = await syncedConfig(3 * DAY_SECONDS);
    const massRemoved = removeHosts(40);
    await sync(configId);
    const single = removeHosts(2);
    await app.database.query(
      `update hosts set held_reason = 'mass-removal', missing_since = $2 - 3600 * id_order
       from unnest($1::text[]) with ordinality as held (ucloud_id, id_order)
       where hosts.ucloud_id = held.ucloud_id`,
      [single, clock.now()],
    );
    await releaseHolds();

    const run = await sync(configId);

    expect(run).toMatchObject({ gone: 2, errors: [{ code: "mass-removal" }] });
    expect([await gone(), await held()]).toEqual([single.toSorted(), massRemoved.toSorted()]);
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
});
