import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOST_RUNS_JOB, lostRunsJob } from "../../src/server/modules/sync/lost-runs-job.ts";
import { SYNC_RUN_JOB } from "../../src/server/modules/sync/sync-job.ts";
import { programActor } from "../../src/server/platform/actor.ts";
import { connectionConfig } from "../../src/server/platform/database/open.ts";
import { inTransaction } from "../../src/server/platform/database/transaction.ts";
import { maintenanceJob } from "../../src/server/platform/embedded-database/maintenance-job.ts";
import type { Job } from "../../src/server/platform/jobs/job.ts";
import { type JobQueue, openQueue } from "../../src/server/platform/jobs/queue.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import { createMetrics } from "../../src/server/platform/metrics.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { cleanUp } from "../harness/clean-up.ts";
import { databaseClockOf, fixedClock } from "../harness/clocks.ts";
import { insertHosts, insertRun, MISSING } from "../harness/data.ts";
import { HAS_CONCURRENT_SESSIONS, insertRows } from "../harness/database.ts";
import { firstDelivery } from "../harness/deliveries.ts";
import { useLogLines } from "../harness/log-lines.ts";
import { silentLog } from "../harness/silent-log.ts";

const NOW = 1_800_000_000;
const clock = fixedClock(NOW);
const app = useApp({ overrides: { clock } });

const bus = createLocalBus();

/** A queue of one connection, like the server's on the embedded database; it ends with the test. */
async function openAll(jobs: readonly Job[], log = silentLog) {
  const { connection } = app.database;
  const pool = new pg.Pool({ ...connectionConfig(connection), max: 1 });
  onTestFinished(() => pool.end());
  const queue = await openQueue({ pool, database: connection.kind, bus, log }, jobs);
  onTestFinished(() => queue[Symbol.asyncDispose]());
  return queue;
}

async function open(job: Job, log = silentLog): Promise<JobQueue & AsyncDisposable> {
  return await openAll([job], log);
}

/** A job whose handler ends with its queue. */
function endless(name: string, more: Partial<Job> = {}): { job: Job; handled: unknown[] } {
  const { job, handled } = recorder(name, 0.5);
  const handle: Job["handle"] = async (payload, delivery) => {
    await job.handle(payload, delivery);
    await once(delivery.signal, "abort");
  };
  return { handled, job: { ...job, ...more, handle } };
}

/** A job that keeps what it handled. */
function recorder(name: string, pollSeconds: number): { job: Job; handled: unknown[] } {
  const handled: unknown[] = [];
  return {
    handled,
    job: { name, pollSeconds, handle: async (payload) => void handled.push(payload) },
  };
}

describe("the job queue", () => {
  it("delivers each message of a committed transaction to one replica only", async () => {
    const { job, handled } = recorder("greet", 0.5);
    const queue = await open(job);
    await open(job);
    const rolledBack = app.orm.em.fork().transactional(async (em) => {
      await queue.send(em, "greet", { n: "rolled back" });
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    const sent = ["1", "2", "3", "4", "5"];
    for (const n of sent)
      await app.orm.em.fork().transactional((em) => queue.send(em, "greet", { n }));
    await expect.poll(() => handled.length).toBe(5);
    expect(handled).toEqual(expect.arrayContaining(sent.map((n) => ({ n }))));
  });

  it("delivers at once after the commit, to as many workers as the job has", async () => {
    const { job, handled } = endless("quick", { pollSeconds: 60, workers: 2 });
    const queue = await open(job);
    await setTimeout(200);

    await inTransaction({ em: app.orm.em.fork(), bus }, async (em) => {
      for (const n of ["1", "2"]) await queue.send(em, "quick", { n });
    });

    await expect.poll(() => handled.length).toBe(2);
  });

  it("delivers a job of a higher priority first", async () => {
    const { job, handled } = recorder("ranked", 0.5);
    const queue = await open(job);

    // The worker finds all of them or none.
    await app.orm.em.fork().transactional(async (em) => {
      await queue.send(em, "ranked", { n: "usual" });
      await queue.send(em, "ranked", { n: "raised" }, { singletonKey: "key" });
      await queue.send(em, "ranked", { n: "high" }, { priority: 2 });
      await queue.raisePriority(em, "ranked", { singletonKey: "key", priority: 1 });
    });
    await expect.poll(() => handled.length).toBe(3);

    expect(handled).toEqual([{ n: "high" }, { n: "raised" }, { n: "usual" }]);
  });

  it("keeps a worker for jobs with a priority", async () => {
    const { job, handled } = endless("reserved", { workers: 3, keptWorkers: 1 });
    const queue = await open(job);
    const em = app.orm.em.fork();
    for (const n of ["1", "2", "3", "4"]) await queue.send(em, "reserved", { n });
    bus.emit("job.sent", "reserved");
    await expect.poll(() => handled.length).toBeGreaterThanOrEqual(2);

    await queue.send(em, "reserved", { n: "urgent" }, { priority: 1 });

    await expect.poll(() => handled.at(-1)).toEqual({ n: "urgent" });
    expect(handled).toHaveLength(3);
  });

  it("has the queues of all jobs before a worker begins", async () => {
    const waiting = await open(recorder("sends-others", 60).job);
    const em = app.orm.em.fork();
    await waiting.send(em, "sends-others", {}, { startAfter: 3_600 });
    await waiting[Symbol.asyncDispose]();
    await app.database.query(
      "update pgboss.job set start_after = now() where name = 'sends-others'",
    );
    const { job: added, handled } = recorder("added-by-this-version", 0.5);
    const others = Array.from({ length: 8 }, (_, n) => recorder(`other-${n}`, 60).job);
    const handle: Job["handle"] = async (_payload, { jobs }) => {
      await jobs.send(app.orm.em.fork(), added.name, {});
    };

    await openAll([{ name: "sends-others", pollSeconds: 60, handle }, ...others, added]);

    await expect.poll(() => handled).toHaveLength(1);
  });

  it("delivers a job no earlier than its sender asks", async () => {
    const { job, handled } = recorder("later", 0.5);
    const deliveredAt: number[] = [];
    const handle: Job["handle"] = async (payload, delivery) => {
      deliveredAt.push(Date.now());
      await job.handle(payload, delivery);
    };
    const queue = await open({ ...job, handle });
    const em = app.orm.em.fork();

    await queue.send(em, "later", { n: "in an hour" }, { startAfter: 3_600 });
    await queue.send(em, "later", { n: "now" });
    const moment = new Date(Date.now() + 1_500);
    await queue.send(em, "later", { n: "at a moment" }, { startAfter: moment });

    await expect.poll(() => handled.length).toBe(2);
    expect(handled).toEqual([{ n: "now" }, { n: "at a moment" }]);
    expect(deliveredAt.at(-1)).toBeGreaterThanOrEqual(moment.getTime());
  });

  it("keeps one waiting job of a key when the policy says so", async () => {
    const { job, handled } = recorder("once-each", 0.5);
    const options = { policy: "short", retryLimit: 0 };
    const queue = await open({ ...job, options });
    const em = app.orm.em.fork();
    const sent: boolean[] = [];

    for (const singletonKey of ["a", "b", "a"]) {
      sent.push(
        await queue.send(em, "once-each", { singletonKey }, { singletonKey, startAfter: 1 }),
      );
    }

    expect(sent).toEqual([true, true, false]);
    await expect.poll(() => handled.length).toBe(2);
  });

  it("repeats what the schedule sends, between two of its minutes", async () => {
    const { job, handled } = recorder("repeated", 0.5);
    const queue = await open({ ...job, repeatAfterSeconds: [1, 2] });

    await queue.send(app.orm.em.fork(), "repeated", {});

    await expect.poll(() => handled.length).toBe(3);
    await setTimeout(2_000);
    expect(handled).toHaveLength(3);
  });

  it("calls what a stop has cut off no failure", async () => {
    const { job, handled } = endless("cut-off");
    const { log, lines } = useLogLines();
    const handle: Job["handle"] = async (payload, delivery) => {
      await job.handle(payload, delivery);
      delivery.signal.throwIfAborted();
    };
    const queue = await open({ ...job, handle }, log);
    await queue.send(app.orm.em.fork(), "cut-off", {});
    await expect.poll(() => handled.length).toBe(1);

    await queue[Symbol.asyncDispose]();

    expect(lines.join("\n")).not.toContain("job failed");
  });

  it("continues after a handler that fails, and warns of an unavailable database", async () => {
    const { lines, log } = useLogLines();
    const unreachable = new pg.Client({ host: "127.0.0.1", port: 1 });
    const failures = [
      () => Promise.reject(new Error("a bug")),
      () => unreachable.connect(),
      async () => undefined,
    ];
    const handle = async () => void (await failures.shift()?.());
    const queue = await open({ name: "failing", pollSeconds: 0.5, handle }, log);
    for (const n of ["1", "2", "3"]) await queue.send(app.orm.em.fork(), "failing", { n });
    await expect.poll(() => failures).toEqual([]);
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "job failed");
    expect(logged.map(({ level, job }) => [level, job])).toEqual(
      [50, 40].map((level) => [level, "failing"]),
    );
  });

  it("updates the options of a queue of an earlier version, and tells of a redelivery", async () => {
    await (await open(recorder("again", 60).job))[Symbol.asyncDispose]();
    const redeliveries: boolean[] = [];
    const handle: Job["handle"] = async (_payload, { isRedelivery }) => {
      redeliveries.push(isRedelivery);
      if (!isRedelivery) throw new Error("failed once");
    };
    const retentionSeconds = 7 * DAY_SECONDS;
    const options = {
      retryLimit: 3,
      heartbeatSeconds: 15,
      retentionSeconds,
      deleteAfterSeconds: 3600,
    };
    const queue = await open({ name: "again", pollSeconds: 0.5, options, handle });
    await queue.send(app.orm.em.fork(), "again", {});
    await expect.poll(() => redeliveries).toEqual([false, true]);
    const [stored] = await app.database.query(
      "select retry_limit, heartbeat_seconds, retention_seconds from pgboss.queue where name = 'again'",
    );
    expect(stored).toEqual({
      retry_limit: 3,
      heartbeat_seconds: 15,
      retention_seconds: retentionSeconds,
    });
  });
});

it("cleaning up removes events older than a day, ended sessions, old failed sign-ins", async () => {
  await app.database.clear();
  await app.database.query(`
    insert into users (id, username, password_hash, name, role, created_at)
      values (gen_random_uuid(), 'a', 'x', 'a', 'client', 1);
    insert into events (type, payload, created_at)
      values ('settings.changed', '{}', ${NOW - 90_000}), ('settings.changed', '{}', ${NOW - 100});
    insert into login_failures (account_key, window_started_at, failures)
      values ('old', ${NOW - 10_000}, 3), ('new', ${NOW - 3_500}, 3);
    insert into known_addresses (user_id, address, last_signed_in_at)
      select id, address, signed_in_at from users,
        (values ('old', ${NOW - 91 * DAY_SECONDS}), ('new', ${NOW - 89 * DAY_SECONDS})) as a (address, signed_in_at);
    insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, ip, user_agent)
      select gen_random_uuid(), kind::bytea, id, 1, used_at, expires_at, '', kind from users,
        (values ('live', ${NOW - 10}, ${NOW + 10}), ('expired', ${NOW - 10}, ${NOW - 1}),
          ('idle', ${NOW - 7_300}, ${NOW + 10})) as s (kind, used_at, expires_at);
  `);

  await cleanUp(app, { clock });

  const events = await app.database.query("select created_at::int from events");
  expect(events).toEqual([{ created_at: NOW - 100 }]);
  expect(await app.database.query("select account_key from login_failures")).toEqual([
    { account_key: "new" },
  ]);
  expect(await app.database.query("select address from known_addresses")).toEqual([
    { address: "new" },
  ]);
  expect(await app.database.query("select user_agent from sessions")).toEqual([
    { user_agent: "live" },
  ]);
});

describe("cleaning up sync runs", () => {
  const OLD = NOW - 91 * DAY_SECONDS;

  /** Runs one second apart, the newest last, that ended at about `at`; returns their ids. */
  async function insertEndedRuns(
    configId: string,
    count: number,
    { at = OLD, status = "failed" } = {},
  ) {
    const rows = await app.database.query(
      `insert into sync_runs (id, config_id, config_name, trigger, status, started_at, finished_at)
       select overlay(gen_random_uuid()::text placing
           regexp_replace(lpad(to_hex(($3::bigint + n) * 1000), 12, '0'), '(.{8})(.{4})', '\\1-\\2-7') from 1 for 15)::uuid,
         $1, '', 'schedule', $4, $3::bigint + n, $3::bigint + n
       from generate_series(1, $2::int) n returning id`,
      [configId, count, at, status],
    );
    return rows.map(({ id }) => String(id)).toSorted();
  }

  async function keptRuns(): Promise<string[]> {
    return (await app.database.query("select id from sync_runs order by id")).map(({ id }) =>
      String(id),
    );
  }

  it("keeps the last 50 of a configuration, and all that ended within 90 days", async () => {
    const seldom = await app.config();
    const often = await app.config();
    const ofSeldom = await insertEndedRuns(seldom, 60);
    await insertEndedRuns(often, 10);
    const ofOften = await insertEndedRuns(often, 70, { at: NOW - 89 * DAY_SECONDS });

    await cleanUp(app, { clock });

    expect(await keptRuns()).toEqual([...ofSeldom.slice(-50), ...ofOften].toSorted());
  });

  it("keeps the last success of a configuration that has failed ever since", async () => {
    const config = await app.config();
    const successes = await insertEndedRuns(config, 3, { at: OLD - 1_000, status: "succeeded" });
    const failures = await insertEndedRuns(config, 60);

    await cleanUp(app, { clock });

    expect(await keptRuns()).toEqual([successes.at(-1), ...failures.slice(-50)]);
  });

  it("keeps the last complete success beside a later one with problems", async () => {
    const config = await app.config();
    const successes = await insertEndedRuns(config, 2, { at: OLD - 2_000, status: "succeeded" });
    const partial = await insertEndedRuns(config, 2, { at: OLD - 1_000, status: "partial" });
    const failures = await insertEndedRuns(config, 60);

    await cleanUp(app, { clock });

    const kept = [successes.at(-1), partial.at(-1), ...failures.slice(-50)];
    expect(await keptRuns()).toEqual(kept);
  });

  it("keeps nothing of a deleted configuration for over 90 days, and every live run", async () => {
    const recent = await insertEndedRuns(MISSING, 2, { at: NOW - 1_000 });
    await insertEndedRuns(MISSING, 2);
    const live = await insertRun(app, await app.config(), { started_at: OLD });

    await cleanUp(app, { clock });

    expect(await keptRuns()).toEqual([...recent, live].toSorted());
  });

  it("forgets partitions not read for 90 days, unless they have present hosts", async () => {
    const config = await app.config();
    await insertHosts(app, [
      { config_id: config, region: "hk", project_id: "p" },
      { config_id: config, region: "sg", project_id: "p", gone_at: 1 },
    ]);
    const partition = { config_id: config, project_id: "p", read_at: OLD };
    await insertRows(app.database, "sync_partitions", [
      { ...partition, region: "hk" },
      { ...partition, region: "sg" },
      { ...partition, region: "cn-bj2", read_at: NOW - 89 * DAY_SECONDS },
    ]);

    await cleanUp(app, { clock });

    const kept = await app.database.query("select region from sync_partitions order by region");
    expect(kept).toEqual([{ region: "cn-bj2" }, { region: "hk" }]);
  });
});

describe("sync runs without a job", () => {
  /** A job of the run in this state; the far future keeps the workers from it. */
  async function insertJob(runId: string, state: string): Promise<void> {
    await app.database.query(
      `insert into pgboss.job (name, data, state, start_after, heartbeat_seconds, completed_on)
       values ($1, $2, $3::pgboss.job_state, now() + interval '1 day', null, now())`,
      [SYNC_RUN_JOB, JSON.stringify({ runId }), state],
    );
  }

  async function statusOfRun(status: string, age: number, job: string | null): Promise<unknown> {
    const id = await insertRun(app, await app.config(), { status, started_at: NOW - age });
    if (job !== null) await insertJob(id, job);
    const deps = {
      em: app.orm.em.fork(),
      clock,
      databaseClock: databaseClockOf(clock),
      bus: createLocalBus(),
      metrics: createMetrics(),
      log: silentLog,
    };

    await lostRunsJob({ ...deps, actor: programActor("system", LOST_RUNS_JOB) }).handle(
      {},
      firstDelivery(),
    );

    await app.database.query("delete from pgboss.job where data->>'runId' = $1", [id]);
    const [run] = await app.database.query("select status from sync_runs where id = $1", [id]);
    return run?.status;
  }

  it.each([
    ["queued", 11, null],
    ["queued", 11, "failed"],
    ["queued", -3_600, null],
    ["running", 11, "failed"],
    ["running", 11, "cancelled"],
    ["running", 3_700, null],
  ])("are interrupted: %s since %i s, its job %s", async (status, age, job) => {
    expect(await statusOfRun(status, age, job)).toBe("interrupted");
  });

  it.each([
    ["queued", 9, null],
    ["queued", 100_000, "created"],
    ["queued", 100_000, "retry"],
    ["running", 100_000, "active"],
    ["running", 1_800, null],
  ])("are left alone: %s since %i s, its job %s", async (status, age, job) => {
    expect(await statusOfRun(status, age, job)).toBe(status);
  });
});

it.skipIf(HAS_CONCURRENT_SESSIONS)(
  "maintenance of the embedded database removes dead rows and shortens the log",
  async () => {
    const { database, orm } = app;
    const text = "select n, repeat(md5(n::text), 10) as text from generate_series(1, 40000) n";
    await database.query(`create table busy as ${text}`);
    onTestFinished(async () => void (await database.query("drop table busy")));
    for (let round = 0; round < 3; round++) await database.query("update busy set n = n + 1");
    // PostgreSQL writes statistics with a delay.
    await database.query("select pg_stat_force_next_flush()");
    await maintenanceJob({ orm, log: silentLog }).handle({}, firstDelivery());
    const [left] = await database.query(
      `select n_dead_tup::int as dead, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int < 1024 * 1024 as short
       from pg_stat_user_tables, pg_control_checkpoint() where relname = 'busy'`,
    );
    expect(left).toEqual({ dead: 0, short: true });
  },
);
