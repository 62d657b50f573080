import { sql } from "kysely";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { describe, expect, test } from "vitest";
import { connectionConfig } from "../../src/server/database/open.ts";
import { inTransaction } from "../../src/server/database/transaction.ts";
import { cancelSync } from "../../src/server/sync/end-run.ts";
import { SYNC_RUN_JOB, syncRunJob } from "../../src/server/sync/sync-job.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { HAS_CONCURRENT_SESSIONS } from "../harness/database.ts";
import { type SyncBench, syncBench } from "./sync-bench.ts";

const SIMULATOR = { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] };
const LISTING = { action: "DescribeUHostInstance" } as const;
/** The embedded database has one session. */
const onServer = test.runIf(HAS_CONCURRENT_SESSIONS);

describe("on replicas that share a database", () => {
  const bench = syncBench(SIMULATOR);

  /** Starts a run that has written the hosts of cn-bj2 and waits for those of hk. */
  async function startHalf(configId: string): Promise<string> {
    bench.simulator.control.hold({ ...LISTING, region: "hk" });
    const id = await bench.process.start(configId);
    await bench.simulator.control.waitForHeld();
    const written = bench.simulator.control.hosts({ region: "cn-bj2" }).length;
    await expect.poll(async () => (await bench.present()).length, { timeout: 10_000 }).toBe(written);
    return id;
  }

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
      await using queue = await openBoss(bench);
      await bench.database.query("update pgboss.queue set monitor_on = null, monitor_claim_on = null");
      await bench.database.query(
        "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'",
      );
      await queue.boss.supervise(SYNC_RUN_JOB);
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

  test("nothing is written after a cancel on another replica, and the owner stops calling the provider within two seconds", async () => {
    const second = await bench.replica();
    const id = await startHalf(await bench.config());
    const before = await bench.present();
    const started = performance.now();
    const cancelled = await cancelSync(second.deps, { id });
    expect(cancelled).toMatchObject({ status: "cancelled", gone: 0, created: before.length });
    const jobs = () => bench.database.query("select state from pgboss.job where data->>'runId' = $1", [id]);
    await expect.poll(jobs, { timeout: 10_000 }).toEqual([{ state: "completed" }]);
    expect(performance.now() - started).toBeLessThan(2_000);
    const { total } = bench.simulator.control.calls();
    bench.simulator.control.release();
    expect(await bench.present()).toEqual(before);
    expect(await bench.run(id)).toEqual(cancelled);
    const [last] = await bench.database.query(
      "select payload->>'status' as status from events order by id desc limit 1",
    );
    expect(last).toEqual({ status: "cancelled" });
    expect(bench.simulator.control.calls().total).toBe(total);
  });

  test("a queued run is claimed once, however often its job is delivered, and never after its end; a lost one is ended", async () => {
    const { signal } = new AbortController();
    const deliver = (runId: string, isRedelivery: boolean) =>
      syncRunJob(bench.process.deps).handle({ runId }, { isRedelivery, signal });
    const id = await insertRun(bench, await bench.config());
    await Promise.all(Array.from({ length: 10 }, () => deliver(id, false)));
    const run = await bench.run(id);
    expect(run).toMatchObject({ status: "succeeded", created: 60 });
    await deliver(id, true);
    expect(await bench.run(id)).toEqual(run);
    expect(bench.simulator.control.calls().byAction).toMatchObject({ GetRegion: 1 });
    const lost = await insertRun(bench, await bench.config(), "running");
    await deliver(lost, true);
    expect((await bench.run(lost)).status).toBe("interrupted");
  });

  onServer("a run continues when the database drops every connection several times", async () => {
    const configId = await bench.config();
    // The run makes two calls or more in sequence, so it lasts for several drops on any machine.
    bench.simulator.control.setLatency(250);
    const id = await bench.process.start(configId);
    const drops: Promise<unknown>[] = [];
    const drop = () =>
      bench.database.query(
        "select pg_terminate_backend(pid, 2000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
    const dropping = setInterval(() => drops.push(drop().catch(() => undefined)), 120);
    const live = () => bench.database.query("select from sync_runs where id = $1 and finished_at is null", [id]);
    await expect.poll(live, { timeout: 15_000 }).toEqual([]);
    clearInterval(dropping);
    await Promise.all(drops);
    expect(drops.length).toBeGreaterThan(2);
    const run = await bench.end(id);
    expect(["succeeded", "interrupted"]).toContain(run.status);
    expect(run.gone).toBe(0);
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", hostsSeen: 60, gone: 0 });
    expect(await bench.present()).toHaveLength(60);
  });

  onServer("two transactions in a deadlock both succeed", async () => {
    const { deps } = bench.process;
    const ids = [await bench.config(), await bench.config()];
    const bothHoldOne = Promise.withResolvers<void>();
    let holding = 0;
    const lockBoth = (order: readonly string[]) =>
      inTransaction(deps, async (em) => {
        for (const id of order) {
          await sql`update configs set remark = 'locked' where id = ${id}`.execute(em.getKysely());
          holding += 1;
          if (holding >= 2) bothHoldOne.resolve();
          await bothHoldOne.promise;
        }
      });
    await Promise.all([lockBoth(ids), lockBoth(ids.toReversed())]);
    expect(holding).toBeGreaterThan(4);
  });
});

describe("on a process that starts", () => {
  const bench = syncBench(SIMULATOR);

  test("a run that was queued while no process ran for a day is executed once", async () => {
    const configId = await bench.config();
    await bench.process[Symbol.asyncDispose]();
    const id = await insertRun(bench, configId);
    await using queue = await openBoss(bench);
    await queue.boss.send(SYNC_RUN_JOB, { runId: id });
    await bench.database.query(
      `update pgboss.job set created_on = created_on - interval '1 day', start_after = start_after - interval '1 day',
       keep_until = keep_until - interval '1 day' where name = $1`,
      [SYNC_RUN_JOB],
    );
    await bench.database.query("update pgboss.queue set maintain_on = null");
    await queue.boss.supervise(SYNC_RUN_JOB);
    bench.clock.forward(DAY_SECONDS);
    await bench.replica();
    await bench.replica();
    const stored = async () => (await bench.database.query("select status, started_at from sync_runs"))[0];
    await expect.poll(async () => (await stored())?.status, { timeout: 10_000 }).toBe("succeeded");
    expect(Number((await stored())?.started_at)).toBeGreaterThan(bench.clock.now() - 60);
    expect(bench.simulator.control.calls().byAction).toMatchObject({ GetRegion: 1 });
  });
});

async function insertRun({ database }: SyncBench, configId: string, status = "queued"): Promise<string> {
  const [row] = await database.query(
    `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
     values (gen_random_uuid(), $1, '测试配置', 'manual', $2, 1) returning id`,
    [configId, status],
  );
  return String(row?.id);
}

/** Another client of the queue, without workers. */
async function openBoss({ database }: SyncBench): Promise<{ boss: PgBoss } & AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  const pool = new pg.Pool({ ...connectionConfig(database.connection), max: 1 });
  resources.defer(() => pool.end());
  const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) };
  const boss = new PgBoss({ db, schema: "pgboss", supervise: false, schedule: false });
  await boss.start();
  resources.defer(() => boss.stop({ graceful: false }));
  const opened = resources.move();
  return { boss, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
