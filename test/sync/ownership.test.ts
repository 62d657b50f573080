import pg from "pg";
import { PgBoss } from "pg-boss";
import { expect, test } from "vitest";
import { connectionConfig } from "../../src/server/database/open.ts";
import { cancelSync } from "../../src/server/sync/end-run.ts";
import { SYNC_RUN_JOB, syncRunJob } from "../../src/server/sync/sync-job.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] });
const LISTING = { action: "DescribeUHostInstance" } as const;
const DAY = 24 * 3600;

test("twenty starts of one configuration on two replicas share one run", async () => {
  const configId = await bench.config();
  const second = await bench.replica();
  bench.simulator.control.hold(LISTING);
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, click) => (click % 2 === 0 ? second : bench.process).start(configId)),
  );
  expect(new Set(ids).size).toBe(1);
  await bench.simulator.control.waitForHeld();
  bench.simulator.control.release();
  expect(await bench.end(String(ids[0]))).toMatchObject({ status: "succeeded" });
  expect(bench.simulator.control.calls().byAction).toMatchObject({ GetRegion: 1, GetProjectList: 1 });
});

test("a run whose owner's heartbeat stopped becomes interrupted, frees its configuration and accepts no late write", async () => {
  const configId = await bench.config();
  const second = await bench.replica();
  const id = await startHalf(configId);
  const before = await bench.present();
  // A slow machine may write a heartbeat before the queue checks them.
  const redeliver = async () => {
    await redeliverJobs();
    (await second.deps.jobs).wake(SYNC_RUN_JOB);
    return (await bench.run(id)).status;
  };
  await expect.poll(redeliver, { timeout: 15_000, interval: 1_000 }).toBe("interrupted");
  const interrupted = await bench.end(id);
  expect(interrupted).toMatchObject({ status: "interrupted", gone: 0, errors: [{ code: "interrupted" }] });
  bench.simulator.control.release();
  const created = 60 - before.length;
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", hostsSeen: 60, created });
  expect(await bench.run(id)).toEqual(interrupted);
});

test("nothing is written after a cancel on another replica, and the owner stops within two seconds", async () => {
  const second = await bench.replica();
  const id = await startHalf(await bench.config());
  const before = await bench.present();
  const started = performance.now();
  const cancelled = await cancelSync(second.deps, { id });
  expect(cancelled).toMatchObject({ status: "cancelled", gone: 0, created: before.length });
  await expect.poll(() => jobStates(id), { timeout: 10_000 }).toEqual(["completed"]);
  expect(performance.now() - started).toBeLessThan(2_000);
  bench.simulator.control.release();
  expect(await bench.present()).toEqual(before);
  expect(await bench.run(id)).toEqual(cancelled);
  const [last] = await bench.database.query("select payload->>'status' as status from events order by id desc limit 1");
  expect(last).toEqual({ status: "cancelled" });
});

test("a queued run is claimed once, however often its job is delivered, and never after its end", async () => {
  const id = await insertRun(await bench.config());
  await Promise.all(Array.from({ length: 10 }, () => deliver(id, { isRedelivery: false })));
  const run = await bench.run(id);
  expect(run).toMatchObject({ status: "succeeded", created: 60 });
  await deliver(id, { isRedelivery: true });
  expect(await bench.run(id)).toEqual(run);
  expect(bench.simulator.control.calls().byAction).toMatchObject({ GetRegion: 1 });
});

test("a run that was queued while no process ran for a day is executed once", async () => {
  const configId = await bench.config();
  await bench.process[Symbol.asyncDispose]();
  const id = await insertRun(configId);
  await using queue = await openBoss();
  await queue.boss.send(SYNC_RUN_JOB, { runId: id });
  await bench.database.query(
    `update pgboss.job set created_on = created_on - interval '1 day', start_after = start_after - interval '1 day',
       keep_until = keep_until - interval '1 day' where name = $1`,
    [SYNC_RUN_JOB],
  );
  await bench.database.query("update pgboss.queue set maintain_on = null");
  await queue.boss.supervise(SYNC_RUN_JOB);
  bench.clock.forward(DAY);
  await bench.replica();
  await bench.replica();
  const stored = async () => (await bench.database.query("select status, started_at from sync_runs"))[0];
  await expect.poll(async () => (await stored())?.status, { timeout: 10_000 }).toBe("succeeded");
  expect(Number((await stored())?.started_at)).toBeGreaterThan(bench.clock.now() - 60);
  expect(bench.simulator.control.calls().byAction).toMatchObject({ GetRegion: 1 });
});

/** Starts a run that has written the hosts of cn-bj2 and waits for those of hk. */
async function startHalf(configId: string): Promise<string> {
  bench.simulator.control.hold({ ...LISTING, region: "hk" });
  const id = await bench.process.start(configId);
  await bench.simulator.control.waitForHeld();
  const written = bench.simulator.control.hosts({ region: "cn-bj2" }).length;
  await expect.poll(async () => (await bench.present()).length, { timeout: 10_000 }).toBe(written);
  return id;
}

async function insertRun(configId: string): Promise<string> {
  const [row] = await bench.database.query(
    `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
     values (gen_random_uuid(), $1, '测试配置', 'manual', 'queued', 1) returning id`,
    [configId],
  );
  return String(row?.id);
}

async function deliver(runId: string, { isRedelivery }: { isRedelivery: boolean }): Promise<void> {
  await syncRunJob(bench.process.deps).handle({ runId }, { isRedelivery, signal: new AbortController().signal });
}

async function jobStates(runId: string): Promise<unknown[]> {
  const jobs = await bench.database.query("select state from pgboss.job where data->>'runId' = $1", [runId]);
  return jobs.map(({ state }) => state);
}

/** Runs the queue's check for lost workers, as if the last heartbeats were a minute old. */
async function redeliverJobs(): Promise<void> {
  await using queue = await openBoss();
  await bench.database.query("update pgboss.queue set monitor_on = null, monitor_claim_on = null");
  await bench.database.query(
    "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'",
  );
  await queue.boss.supervise(SYNC_RUN_JOB);
}

/** Another client of the queue, without workers. */
async function openBoss(): Promise<{ boss: PgBoss } & AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  const pool = new pg.Pool({ ...connectionConfig(bench.database.connection), max: 1 });
  resources.defer(() => pool.end());
  const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) };
  const boss = new PgBoss({ db, schema: "pgboss", supervise: false, schedule: false });
  await boss.start();
  resources.defer(() => boss.stop({ graceful: false }));
  const opened = resources.move();
  return { boss, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
