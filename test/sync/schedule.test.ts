import { v7 as newId } from "uuid";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { insertRun } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { startReplica as openReplica } from "./replica.ts";
import { useSync } from "./sync-fixture.ts";

const HOUR = 3_600;
const { app, clock, databaseClock, sync, end } = useSync();

beforeEach(() => clock.rewind());

const startReplica = () => {
  const { connection } = app.database;
  const allowedOrigins = [app.simulator.url];
  return openReplica({ connection, orm: app.orm, clock, databaseClock, allowedOrigins });
};

async function runs(configId: string) {
  const { data } = await assertOk(
    app.root.get(`/api/hosts/sync-runs?configId=${configId}&limit=100`),
  );
  return data.runs;
}

const isScheduled = ({ trigger }: { readonly trigger: string }) => trigger === "schedule";

async function config(id: string) {
  const { data } = await assertOk(app.root.get("/api/hosts/configs/list"));
  return data.find((each: { id: string }) => each.id === id);
}

const change = (id: string, changes: object) =>
  assertOk(app.root.put(`/api/hosts/configs/${id}`, changes));

/** Scheduled runs that failed because the key was refused, the newest first in time. */
async function insertRefusals(configId: string, count: number): Promise<void> {
  const errors = [
    { region: null, projectId: null, code: "unauthorized", message: "密钥未通过云服务商校验" },
  ];
  for (let run = 0; run < count; run += 1) {
    clock.forward(10 * HOUR);
    const at = clock.now();
    const times = { queued_at: at, started_at: at, finished_at: at };
    await insertRun(app, configId, { ...times, trigger: "schedule", status: "failed", errors });
  }
}

/** How often the configuration was said to have changed. */
async function countChanges(configId: string): Promise<number> {
  const [row] = await app.database.query(
    "select count(*)::int as count from events where type = 'config.changed' and payload->>'configId' = $1",
    [configId],
  );
  return Number(row?.count);
}

describe("a configuration with an interval", () => {
  it("is synced once when it is due, by one of two replicas", async () => {
    const id = await app.config({ syncIntervalMinutes: 60 });
    const replicas = [await startReplica(), await startReplica()];
    clock.forward(1.2 * HOUR);

    await Promise.all(replicas.map(({ tick }) => tick()));

    const [run, ...others] = await runs(id);
    expect(others).toEqual([]);
    expect(await end(run.id)).toMatchObject({
      trigger: "schedule",
      requestedBy: null,
      status: "succeeded",
    });
  });

  it("is not synced before its time", async () => {
    const id = await app.config({ syncIntervalMinutes: 60 });
    const { tick } = await startReplica();
    clock.forward(HOUR - 60);

    await tick();

    expect(await runs(id)).toEqual([]);
  });

  it("is synced once for all the slots in which nothing ran", async () => {
    const id = await app.config({ syncIntervalMinutes: 15 });
    const { tick } = await startReplica();
    // Between two slots: at the beginning of one the next may pass while the run is going on.
    clock.forward(50.4 * HOUR);

    await tick();
    const [run] = await runs(id);
    await end(run.id);
    await tick();

    expect(await runs(id)).toHaveLength(1);
  });

  it("is not due after a run whose id is older than those of a clock that was ahead", async () => {
    const id = await app.config({ syncIntervalMinutes: 60 });
    const { tick } = await startReplica();
    for (let run = 1; run <= 25; run++) {
      await insertRun(app, id, {
        id: newId({ msecs: (clock.now() + run * DAY_SECONDS) * 1_000 }),
        queued_at: clock.now(),
        status: "interrupted",
      });
    }
    clock.forward(1.2 * HOUR);
    await tick();
    const scheduled = (await runs(id)).filter(isScheduled);
    await end(scheduled[0].id);

    await tick();

    expect((await runs(id)).filter(isScheduled)).toHaveLength(1);
  });

  it("is not due while a run of it is live", async () => {
    const id = await app.config({ syncIntervalMinutes: 15 });
    const { tick } = await startReplica();
    const live = await insertRun(app, id, { queued_at: clock.now() });
    clock.forward(2 * HOUR);

    await tick();

    expect((await runs(id)).map((run: { id: string }) => run.id)).toEqual([live]);
  });

  it.each([
    ["without an interval", { syncIntervalMinutes: null }],
    ["switched off", { syncIntervalMinutes: 15, isActive: false }],
  ])("is left alone when it is %s", async (_what, more) => {
    const id = await app.config(more);
    const { tick } = await startReplica();
    clock.forward(50 * HOUR);

    await tick();

    expect(await runs(id)).toEqual([]);
    expect(await config(id)).toMatchObject({ nextSyncAt: null });
  });

  it("keeps the others from nothing when one of them cannot be started", async () => {
    const broken = await app.config({ syncIntervalMinutes: 15 });
    const sound = await app.config({ syncIntervalMinutes: 15, name: "第二个" });
    const { database } = app;
    await database.query(
      `alter table sync_runs add constraint refused check (config_id <> '${broken}')`,
    );
    onTestFinished(async () => {
      await database.query("alter table sync_runs drop constraint refused");
    });
    const { tick } = await startReplica();
    clock.forward(HOUR);

    await tick();

    expect(await runs(broken)).toEqual([]);
    expect(await runs(sound)).toHaveLength(1);
  });
});

describe("a scheduled run without success", () => {
  it("is made again after five minutes when it failed", async () => {
    const id = await app.config({ syncIntervalMinutes: 1440 });
    const { tick } = await startReplica();
    const [faultId = ""] = app.simulator.control.addFaults({
      fault: { kind: "retCode", retCode: 4711 },
    });
    clock.forward(1.2 * DAY_SECONDS);
    await tick();
    const [failed] = await runs(id);
    expect(await end(failed.id)).toMatchObject({ status: "failed" });
    app.simulator.control.removeFault(faultId);

    clock.forward(4 * 60);
    await tick();
    expect(await runs(id)).toHaveLength(1);
    clock.forward(90);
    await tick();

    const [again] = await runs(id);
    expect(await end(again.id)).toMatchObject({ trigger: "schedule", status: "succeeded" });
    expect((await config(id)).nextSyncAt - clock.now()).toBeGreaterThan(18 * HOUR);
  });

  it("is made again after two minutes when its process ended", async () => {
    const id = await app.config({ syncIntervalMinutes: 1440 });
    const { tick } = await startReplica();
    clock.forward(1.2 * DAY_SECONDS);
    const at = clock.now();
    const times = { queued_at: at, started_at: at, finished_at: at };
    await insertRun(app, id, { ...times, trigger: "schedule", status: "interrupted" });

    clock.forward(60);
    await tick();
    expect(await runs(id)).toHaveLength(1);
    clock.forward(60);
    await tick();

    expect((await runs(id)).filter(isScheduled)).toHaveLength(2);
  });

  it("waits for the next slot when a person cancelled it", async () => {
    const id = await app.config({ syncIntervalMinutes: 1440 });
    const { tick } = await startReplica();
    app.simulator.control.hold();
    clock.forward(1.2 * DAY_SECONDS);
    await tick();
    const [run] = await runs(id);
    await assertOk(app.root.post(`/api/hosts/sync-runs/${run.id}/cancel`));
    app.simulator.control.release();

    clock.forward(6 * HOUR);
    await tick();

    expect(await runs(id)).toHaveLength(1);
  });
});

describe("the schedule that a configuration shows", () => {
  it("is hourly for a new one that names none", async () => {
    const id = await app.config({ syncIntervalMinutes: undefined });
    const now = clock.now();

    const { syncIntervalMinutes, nextSyncAt } = await config(id);

    expect(syncIntervalMinutes).toBe(60);
    expect(nextSyncAt).toBeGreaterThan(now + HOUR - 60);
    expect(nextSyncAt).toBeLessThan(now + 1.1 * HOUR + 60);
  });

  it("is off for one of an earlier version", async () => {
    const id = await app.config({ syncIntervalMinutes: null });
    await app.database.query("update configs set schedule_chosen_at = null where id = $1", [id]);

    expect(await config(id)).toMatchObject({ syncIntervalMinutes: null, nextSyncAt: null });
  });

  it("stays as it is when a change names none", async () => {
    const id = await app.config({ syncIntervalMinutes: 360 });
    const before = await config(id);

    const { data } = await change(id, { name: "新名称" });

    const { syncIntervalMinutes, nextSyncAt } = before;
    expect(data).toMatchObject({ name: "新名称", syncIntervalMinutes, nextSyncAt });
  });

  it("begins anew with another interval", async () => {
    const id = await app.config({ syncIntervalMinutes: 1440 });
    clock.forward(5 * HOUR);

    const { data } = await change(id, { syncIntervalMinutes: 15 });

    expect(data.syncIntervalMinutes).toBe(15);
    expect(data.nextSyncAt - clock.now()).toBeGreaterThanOrEqual(15 * 60 - 5);
    expect(data.nextSyncAt - clock.now()).toBeLessThanOrEqual(16.5 * 60);
  });

  it("tells the last success, and that the hosts may be out of date", async () => {
    const id = await app.config({ syncIntervalMinutes: 60 });
    const { finishedAt } = await sync(id);
    expect(await config(id)).toMatchObject({ lastSuccessAt: finishedAt, isStale: false });

    clock.forward(3 * HOUR + 60);

    expect(await config(id)).toMatchObject({ lastSuccessAt: finishedAt, isStale: true });
  });
});

describe("a schedule whose key is refused", () => {
  it("is paused after five runs, and says so", async () => {
    const id = await app.config({ syncIntervalMinutes: 60, privateKey: "wrong" });
    await insertRefusals(id, 4);
    const { tick } = await startReplica();
    const changes = await countChanges(id);
    clock.forward(10 * HOUR);
    expect(await config(id)).toMatchObject({ schedulePausedReason: null });

    await tick();
    await end((await runs(id))[0].id);

    expect(await config(id)).toMatchObject({
      nextSyncAt: null,
      schedulePausedReason: expect.stringContaining("连续 5 次定时同步被拒绝"),
    });
    expect(await countChanges(id)).toBe(changes + 1);
  });

  it("is paused for a key that lost its permissions, which is refused the lists first", async () => {
    const id = await app.config({ syncIntervalMinutes: 60 });
    app.simulator.control.addFaults({ fault: { kind: "retCode", retCode: 299 } });
    const { tick } = await startReplica();

    for (let run = 0; run < 5; run++) {
      clock.forward(10 * HOUR);
      await tick();
      await end((await runs(id))[0].id);
    }

    expect((await config(id)).schedulePausedReason).toContain("连续 5 次定时同步被拒绝");
  });

  it("stays paused however many runs by hand fail", async () => {
    const id = await app.config({ syncIntervalMinutes: 60 });
    await insertRefusals(id, 5);

    for (let run = 0; run < 45; run++) {
      clock.forward(60);
      const times = { queued_at: clock.now(), started_at: clock.now(), finished_at: clock.now() };
      await insertRun(app, id, { ...times, trigger: "manual", status: "failed" });
    }

    expect((await config(id)).schedulePausedReason).toContain("连续 5 次定时同步被拒绝");
  });

  it("starts no run while it is paused", async () => {
    const id = await app.config({ syncIntervalMinutes: 60 });
    await insertRefusals(id, 5);
    const { tick } = await startReplica();
    clock.forward(50 * HOUR);

    await tick();

    expect(await runs(id)).toHaveLength(5);
  });

  it.each([
    ["another interval", (id: string) => change(id, { syncIntervalMinutes: 15 })],
    [
      "a test that passes",
      (id: string) => assertOk(app.root.post(`/api/hosts/configs/${id}/test`)),
    ],
    ["a sync by hand that succeeds", (id: string) => sync(id)],
  ])("is resumed by %s", async (_what, act) => {
    const id = await app.config({ syncIntervalMinutes: 60 });
    await insertRefusals(id, 5);
    const changes = await countChanges(id);

    await act(id);

    expect(await config(id)).toMatchObject({
      schedulePausedReason: null,
      nextSyncAt: expect.any(Number),
    });
    expect(await countChanges(id)).toBe(changes + 1);
  });

  it("is resumed by the run that tries another key, once this is not refused", async () => {
    const id = await app.config({ syncIntervalMinutes: 60, privateKey: "wrong" });
    await insertRefusals(id, 5);
    const { tick } = await startReplica();
    const changes = await countChanges(id);
    await change(id, { privateKey: app.simulator.privateKey });
    expect(await config(id)).toMatchObject({
      nextSyncAt: null,
      schedulePausedReason: expect.stringContaining("已更改"),
    });

    await tick();
    expect(await end((await runs(id))[0].id)).toMatchObject({ status: "succeeded" });

    expect(await config(id)).toMatchObject({
      nextSyncAt: expect.any(Number),
      schedulePausedReason: null,
    });
    expect(await countChanges(id)).toBe(changes + 2);
  });

  it.each([
    ["key", () => ({ privateKey: "another" })],
    ["address", () => ({ apiUrl: `${app.simulator.url}/` })],
  ])("stays paused by one run that tries another %s and is refused", async (_what, other) => {
    const id = await app.config({ syncIntervalMinutes: 60, privateKey: "wrong" });
    await insertRefusals(id, 5);
    const { tick } = await startReplica();
    await change(id, other());

    await tick();
    expect(await end((await runs(id))[0].id)).toMatchObject({ status: "failed" });
    clock.forward(10 * HOUR);
    await tick();

    expect(await runs(id)).toHaveLength(6);
    expect(await config(id)).toMatchObject({
      nextSyncAt: null,
      schedulePausedReason: expect.stringContaining("更换密钥后"),
    });
  });

  it("stays paused after another name, or a test that fails", async () => {
    const id = await app.config({ syncIntervalMinutes: 60, privateKey: "wrong" });
    await insertRefusals(id, 5);

    await change(id, { name: "新名称" });
    await assertOk(app.root.post(`/api/hosts/configs/${id}/test`));

    expect((await config(id)).schedulePausedReason).not.toBeNull();
  });

  it.each([
    ["the same address", () => ({ apiUrl: app.simulator.url })],
    ["the same public key", () => ({ publicKey: app.simulator.publicKey })],
    ["the same private key", () => ({ privateKey: app.simulator.privateKey })],
    ["the same interval", () => ({ syncIntervalMinutes: 60 })],
  ])("stays paused when a change brings %s", async (_what, unchanged) => {
    const id = await app.config({ syncIntervalMinutes: 60 });
    await insertRefusals(id, 5);

    await change(id, { name: "新名称", ...unchanged() });

    expect(await config(id)).toMatchObject({
      name: "新名称",
      nextSyncAt: null,
      schedulePausedReason: expect.any(String),
    });
  });
});
