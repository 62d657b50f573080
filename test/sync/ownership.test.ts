import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { SYNC_RUN_JOB } from "../../src/server/modules/sync/sync-job.ts";
import { inTransaction } from "../../src/server/platform/database/transaction.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import { insertRun } from "../harness/data.ts";
import { itOnPostgresql, overlapping } from "../harness/hold-lock.ts";
import { restClient } from "../harness/rest.ts";
import { startApp } from "../harness/start-app.ts";
import { Stopwatch } from "../harness/stopwatch.ts";
import { within } from "../harness/time-limits.ts";
import { useSync } from "./sync-fixture.ts";

const { app, start, run, end, sync, present } = useSync();
const LISTING = { action: "DescribeUHostInstance" } as const;

/** A second server on the database, and the session of the first super admin there. */
async function startReplica(configId: string) {
  const config = { providerAllowedOrigins: [app.simulator.url] };
  const server = await startApp(app.database.connection, { config });
  const root = restClient(server.url, app.root.token);
  // As the queue of the only process opens it interrupts live runs, and this one believes that it
  // is the only one.
  await end(await start(configId, root));
  app.simulator.control.resetCalls();
  return { root, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("twenty starts of one configuration on two replicas share one run", async () => {
  const { control } = app.simulator;
  const configId = await app.config();
  await using replica = await startReplica(configId);
  control.hold(LISTING);

  const ids = await overlapping(
    app.database,
    { statement: "lock table sync_runs in share mode" },
    () =>
      Array.from({ length: 20 }, (_, click) =>
        start(configId, click % 2 === 0 ? replica.root : app.root),
      ),
  );
  await control.waitForHeld();
  control.release();
  const ended = await end(String(ids[0]));

  expect(new Set(ids).size).toBe(1);
  expect(ended).toMatchObject({ status: "succeeded" });
  expect(control.calls().byAction).toMatchObject({ GetRegion: 1, GetProjectList: 1 });
});

test("a setting that one replica changes is read by the other", async () => {
  await using replica = await startReplica(await app.config());
  const settings = { show_network_info_to_client: true };

  await app.root.put("/api/system-config", settings);

  expect((await replica.root.get("/api/system-config")).body).toEqual(settings);
});

test("nothing is written after a cancel on another replica, and calls end within 2 s", async () => {
  const { control } = app.simulator;
  const configId = await app.config();
  await using replica = await startReplica(configId);
  await app.database.query("delete from hosts");
  control.hold({ ...LISTING, region: "hk" });
  const id = await start(configId, replica.root);
  await control.waitForHeld();
  const inBeijing = control.hosts({ region: "cn-bj2" }).map((host) => host.id);
  await expect.poll(present).toEqual(inBeijing.toSorted());

  using stopwatch = new Stopwatch();
  const { data: cancelled } = await app.root.post(`/api/hosts/sync-runs/${id}/cancel`);
  await expect.poll(openJobs).toEqual([]);
  const passed = stopwatch.read();
  const { total } = control.calls();
  control.release();

  expect(cancelled).toMatchObject({ status: "cancelled", gone: 0, created: inBeijing.length });
  expect(passed).toBeLessThan(within(2_000));
  expect(await present()).toEqual(inBeijing.toSorted());
  expect(await run(id)).toEqual(cancelled);
  expect(await lastStatusPublished()).toBe("cancelled");
  expect(control.calls().total).toBe(total);
});

describe("a run", () => {
  let configId: string;

  beforeEach(async () => {
    configId = await app.config();
    // Opens the queue.
    await sync(await app.config());
    app.simulator.control.resetCalls();
  });

  test("that is queued is claimed once, however often its job is delivered", async () => {
    const { control } = app.simulator;
    control.hold(LISTING);
    const id = await insertRun(app, configId, { status: "queued", started_at: 1 });
    for (let n = 0; n < 8; n++) await deliver(id, 1);

    // Finds the run, and wakes every worker.
    const found = await start(configId);
    await control.waitForHeld();
    control.release();
    const ended = await end(id);
    await expect.poll(openJobs).toEqual([]);

    expect(found).toBe(id);
    expect(ended).toMatchObject({ status: "succeeded", hostsSeen: 60 });
    // Of its claim, not of its row.
    expect(ended.startedAt).toBeGreaterThan(1);
    expect(control.calls().byAction).toMatchObject({ GetRegion: 1 });
  });

  test("that its owner lost is interrupted when its job is delivered again", async () => {
    const lost = await insertRun(app, configId);
    await deliver(lost, 2);

    await start(configId);
    await expect.poll(openJobs).toEqual([]);

    expect((await run(lost)).status).toBe("interrupted");
  });

  test("that has ended stays as it is when its job is delivered again", async () => {
    const ended = await sync(configId);
    await deliver(ended.id, 2);

    await sync(configId);
    await expect.poll(openJobs).toEqual([]);

    expect(await run(ended.id)).toEqual(ended);
  });
});

test("the job of a run waits 14 days for a process", async () => {
  await sync(await app.config());
  const queue = await app.database.query("select name, retention_seconds from pgboss.queue");
  expect(queue).toContainEqual({ name: SYNC_RUN_JOB, retention_seconds: 14 * 24 * 3600 });
});

itOnPostgresql("two transactions in a deadlock both succeed", async () => {
  const ids = [await app.config(), await app.config()];
  const bothHoldOne = Promise.withResolvers<void>();
  let holding = 0;
  const lockBoth = (order: readonly string[]) =>
    inTransaction({ em: app.orm.em.fork(), bus: createLocalBus() }, async (em) => {
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

async function lastStatusPublished(): Promise<unknown> {
  const [last] = await app.database.query(
    "select payload->>'status' as status from events order by id desc limit 1",
  );
  return last?.status;
}

/** The queue takes a job that was begun before for a redelivery. */
async function deliver(runId: string, attempt: 1 | 2): Promise<void> {
  const job = [SYNC_RUN_JOB, JSON.stringify({ runId }), attempt === 1 ? null : new Date()];
  await app.database.query(
    "insert into pgboss.job (name, data, started_on) values ($1, $2, $3)",
    job,
  );
}

function openJobs() {
  return app.database.query("select data from pgboss.job where name = $1 and state < 'completed'", [
    SYNC_RUN_JOB,
  ]);
}
