import { sql } from "kysely";
import { expect, test } from "vitest";
import { cancelSync } from "../../src/server/sync/cancel.ts";
import { claimRun, holdLease } from "../../src/server/sync/lease.ts";
import { RunStopped } from "../../src/server/sync/stop-reason.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] });
/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 10_000 } as const;
const LISTING = { action: "DescribeUHostInstance" } as const;

test("twenty clicks at once are one traversal of the provider", async () => {
  const configId = await bench.config();
  bench.simulator.control.hold(LISTING);
  const ids = await Promise.all(Array.from({ length: 20 }, () => bench.process.start(configId)));
  expect(new Set(ids).size).toBe(1);
  await bench.simulator.control.waitForHeld();
  bench.simulator.control.release();
  expect(await bench.end(ids[0] ?? "")).toMatchObject({ status: "succeeded" });
  expect(bench.simulator.control.calls().byAction).toMatchObject({ GetRegion: 1, GetProjectList: 1 });
});

test("two replicas that start the same sync share one run", async () => {
  const configId = await bench.config();
  const second = await bench.replica();
  bench.simulator.control.hold(LISTING);
  const ids = await Promise.all([bench.process, second, bench.process, second].map((one) => one.start(configId)));
  expect(new Set(ids).size).toBe(1);
  await bench.simulator.control.waitForHeld();
  await Promise.all([bench.process.worker.claimAndRun(ids[0] ?? ""), bench.simulator.control.release()]);
  expect(await bench.end(ids[0] ?? "")).toMatchObject({ status: "succeeded" });
  expect(bench.simulator.control.calls().byAction).toMatchObject({ GetRegion: 1 });
});

test("different configurations are synced side by side", async () => {
  const [one, other] = [await bench.config(), await bench.config()];
  bench.simulator.control.hold(LISTING);
  const ids = await Promise.all([bench.process.start(one), bench.process.start(other)]);
  expect(new Set(ids).size).toBe(2);
  await bench.simulator.control.waitForHeld(4);
  expect(bench.simulator.control.calls().maxConcurrency).toBe(4);
  bench.simulator.control.release();
  expect((await Promise.all(ids.map((id) => bench.end(id)))).map(({ status }) => status)).toEqual([
    "succeeded",
    "succeeded",
  ]);
});

test("a run is claimed once, however often it is delivered", async () => {
  const id = await queuedRun();
  const claims = await Promise.all(
    Array.from({ length: 10 }, (_, i) => claimRun(bench.process.deps, id, `owner-${i}`)),
  );
  expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
});

test("an owner that froze until its lease ran out can write nothing when it wakes", async () => {
  const configId = await bench.config();
  bench.simulator.control.hold({ ...LISTING, region: "hk" });
  const frozen = await bench.process.start(configId);
  await bench.simulator.control.waitForHeld();
  await expect.poll(async () => (await bench.present()).length, PATIENTLY).toBeGreaterThan(0);
  const before = await bench.present();
  await expireLease(frozen);
  await (await bench.replica()).worker.resume({ soleOwner: false });
  bench.simulator.control.release();
  const interrupted = await bench.end(frozen);
  expect(interrupted).toMatchObject({ status: "interrupted", gone: 0 });
  // It did not stop, nor does one that cannot reach the database: whoever looks for a crash only would find none.
  expect(interrupted.errors.at(-1)?.message).toMatch(/已停止.*或.*数据库.*请/);
  await bench.process.worker.claimAndRun(frozen);
  expect(await bench.present()).toEqual(before);
  expect(await bench.run(frozen)).toMatchObject({ status: "interrupted" });
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", hostsSeen: 60 });
});

test("a write with an older fencing number is refused and rolled back", async () => {
  const configId = await bench.config();
  const id = await queuedRun(configId);
  const claimed = await claimRun(bench.process.deps, id, "frozen");
  if (claimed === null) throw new Error("not claimed");
  const stop = new AbortController();
  const lease = holdLease(bench.process.deps, claimed, stop);
  await bench.database.query("update sync_runs set fence = fence + 1");
  const write = lease.write(async (em) => {
    await sql`update configs set name = 'written late' where id = ${configId}`.execute(em.getKysely());
  });
  await expect(write).rejects.toMatchObject({ kind: "lease-lost" });
  expect(stop.signal.reason).toBeInstanceOf(RunStopped);
  expect(await bench.database.query("select name from configs")).toEqual([{ name: "测试配置" }]);
});

test("a dead owner's run becomes interrupted when the next one wants to start, and frees the configuration", async () => {
  const configId = await bench.config();
  const dead = await deadRun(configId);
  const next = await bench.process.start(configId);
  expect(next).not.toBe(dead);
  expect(await bench.end(next)).toMatchObject({ status: "succeeded" });
  const interrupted = await bench.run(dead);
  expect(interrupted).toMatchObject({ status: "interrupted", gone: 0 });
  expect(interrupted.finishedAt).not.toBeNull();
  expect(interrupted.errors).toMatchObject([{ code: "interrupted" }]);
});

test("a live owner's run is left alone by a replica that starts", async () => {
  const id = await queuedRun();
  await claimRun(bench.process.deps, id, "alive");
  await (await bench.replica()).worker.resume({ soleOwner: false });
  expect(await bench.run(id)).toMatchObject({ status: "running" });
});

test("the only process of a database takes every running run for dead when it starts", async () => {
  const id = await queuedRun();
  await claimRun(bench.process.deps, id, "killed a moment ago");
  await bench.process.worker.resume({ soleOwner: true });
  expect(await bench.run(id)).toMatchObject({ status: "interrupted" });
});

test("a run that was queued when everything stopped is done at the next start", async () => {
  const id = await queuedRun();
  await bench.process.worker.resume({ soleOwner: true });
  expect(await bench.end(id)).toMatchObject({ status: "succeeded", created: 60 });
});

test("stopping a process ends its runs as interrupted, frees the lease at once and marks nothing gone", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.removeHosts({ region: "cn-bj2", count: 3 });
  const other = await bench.replica();
  bench.simulator.control.hold({ ...LISTING, region: "hk" });
  const id = await other.start(configId);
  await bench.simulator.control.waitForHeld();
  const started = performance.now();
  await other.worker[Symbol.asyncDispose]();
  expect(performance.now() - started).toBeLessThan(3_000);
  expect(await bench.run(id)).toMatchObject({ status: "interrupted", gone: 0 });
  expect(await bench.gone()).toEqual([]);
  bench.simulator.control.release();
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 3 });
});

test("a run whose configuration is removed meanwhile writes nothing any more and does not speak", async () => {
  const configId = await bench.config();
  bench.simulator.control.hold(LISTING);
  const id = await bench.process.start(configId);
  await bench.simulator.control.waitForHeld();
  await bench.database.query(
    "update sync_runs set status = 'cancelled', fence = fence + 1, finished_at = 1, lease_until = null where id = $1",
    [id],
  );
  await bench.database.query("delete from configs where id = $1", [configId]);
  bench.simulator.control.release();
  await bench.process.worker.claimAndRun(id);
  expect(await bench.run(id)).toMatchObject({ status: "cancelled", finishedAt: 1 });
  expect(await bench.present()).toEqual([]);
});

test("a run that nobody works on is cancelled at once, queued or left by a dead owner", async () => {
  const [queued, dead] = [await queuedRun(), await deadRun(await bench.config())];
  for (const id of [queued, dead]) {
    expect(await cancelSync(bench.process.deps, { id })).toMatchObject({ status: "cancelled" });
    await bench.process.worker.claimAndRun(id);
    expect(await bench.run(id)).toMatchObject({ status: "cancelled", created: 0 });
  }
});

test("a request to cancel that another replica took reaches the owner", async () => {
  const configId = await bench.config();
  const other = await bench.replica();
  bench.simulator.control.hold(LISTING);
  const id = await bench.process.start(configId);
  await bench.simulator.control.waitForHeld();
  const started = performance.now();
  expect(await cancelSync(other.deps, { id })).toMatchObject({ status: "cancelled", gone: 0 });
  expect(performance.now() - started).toBeLessThan(2_500);
});

/** A run that nobody has claimed. */
async function queuedRun(configId?: string): Promise<string> {
  const [row] = await bench.database.query(
    `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
     values (gen_random_uuid(), $1, '测试配置', 'manual', 'queued', 1) returning id`,
    [configId ?? (await bench.config())],
  );
  return String(row?.id);
}

async function deadRun(configId: string): Promise<string> {
  const id = await queuedRun(configId);
  await claimRun(bench.process.deps, id, "dead");
  await expireLease(id);
  return id;
}

async function expireLease(id: string): Promise<void> {
  await bench.database.query(
    "update sync_runs set lease_until = clock_timestamp() - interval '1 second' where id = $1",
    [id],
  );
}
