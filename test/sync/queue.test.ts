import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/server/core/clock.ts";
import { createLog } from "../../src/server/core/log.ts";
import type { JobQueue } from "../../src/server/core/ports.ts";
import { connectionConfig, openOrm } from "../../src/server/database/open.ts";
import { maintenanceJob } from "../../src/server/jobs/maintenance.ts";
import { type Job, openQueue } from "../../src/server/jobs/queue.ts";
import { cleanUpJob } from "../../src/server/jobs/start.ts";
import { useLogLines } from "../attacks/log-lines.ts";
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";

const log = createLog({ level: "silent", pretty: false });
let database: TestDatabase;
let cleanup: AsyncDisposableStack;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  cleanup = new AsyncDisposableStack();
});
afterEach(() => cleanup.disposeAsync());

async function open(...jobs: Job[]): Promise<JobQueue & AsyncDisposable> {
  return cleanup.use(await openQueue({ pool: openPool(), database: database.connection.kind, log }, jobs));
}

/** As small as the server's on the embedded database. */
function openPool(): pg.Pool {
  return cleanup.adopt(new pg.Pool({ ...connectionConfig(database.connection), max: 1 }), (pool) => pool.end());
}

describe("the job queue", () => {
  it("brings a message to a handler, on one replica only", async () => {
    const handled: unknown[] = [];
    const job: Job = { name: "greet", pollSeconds: 0.5, handle: async (payload) => void handled.push(payload) };
    const [queue] = [await open(job), await open(job)];
    for (let n = 0; n < 5; n++) await queue?.send("greet", { n: String(n) });
    await expect.poll(() => handled.length, { timeout: 10_000 }).toBe(5);
    expect(handled.toSorted()).toEqual(expect.arrayContaining([{ n: "0" }, { n: "4" }]));
    expect(new Set(handled.map((payload) => JSON.stringify(payload))).size).toBe(5);
  });

  it("keeps a message for whoever comes later", async () => {
    const handled: unknown[] = [];
    const name = "later";
    const busy: Job = { name, pollSeconds: 60, handle: async () => undefined };
    const first = await open(busy);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await first.send(name, { kept: "yes" });
    await first[Symbol.asyncDispose]();
    await open({ name, pollSeconds: 0.5, handle: async (payload) => void handled.push(payload) });
    await expect.poll(() => handled, { timeout: 10_000 }).toEqual([{ kept: "yes" }]);
  });

  it("lets the sender begin at once with what is marked so", async () => {
    const handled: unknown[] = [];
    const queue = await open({
      name: "at-once",
      pollSeconds: 60,
      isBegunBySender: true,
      handle: async (payload) => void handled.push(payload),
    });
    await queue.send("at-once", { n: "1" });
    expect(handled).toEqual([{ n: "1" }]);
  });

  it("goes on after a handler that fails, and refuses a job that nobody knows", async () => {
    const handled: string[] = [];
    const queue = await open({
      name: "moody",
      pollSeconds: 0.5,
      handle: async (payload) => {
        handled.push(JSON.stringify(payload));
        if (handled.length === 1) throw new Error("a bad day");
      },
    });
    await queue.send("moody", { n: "1" });
    await queue.send("moody", { n: "2" });
    await expect.poll(() => handled.toSorted(), { timeout: 10_000 }).toEqual(['{"n":"1"}', '{"n":"2"}']);
    await expect(queue.send("unknown", {})).rejects.toThrow("no job named unknown");
  });

  it("calls it a failure of the job only when the database was there", async () => {
    const { lines, log } = useLogLines();
    const away = new pg.Client({ host: "127.0.0.1", port: 1 });
    const handle = { "its-own": () => Promise.reject(new Error("a bad day")), "no-way": () => away.connect() };
    const jobs = Object.entries(handle).map(([name, work]): Job => {
      return { name, pollSeconds: 60, isBegunBySender: true, handle: async () => void (await work()) };
    });
    const queue = cleanup.use(await openQueue({ pool: openPool(), database: database.connection.kind, log }, jobs));
    for (const { name } of jobs) await queue.send(name, {});
    const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "job failed");
    expect(said).toMatchObject([
      { level: 50, job: "its-own" },
      { level: 40, job: "no-way" },
    ]);
  });

  it("returns the only connection usable after an error in the middle of its own transaction", async () => {
    await database.query("drop schema if exists pgboss cascade");
    await database.query("create schema pgboss");
    // In the way of what the queue makes in the middle of one text with its own BEGIN and COMMIT.
    await database.query("create table pgboss.queue ()");
    const pool = openPool();
    cleanup.defer(async () => void (await database.query("drop schema pgboss cascade")));
    await expect(openQueue({ pool, database: database.connection.kind, log }, [])).rejects.toThrow();
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  it("stops within a second", async () => {
    const queue = await open({ name: "idle", cron: "* * * * *", pollSeconds: 10, handle: async () => undefined });
    const started = performance.now();
    await queue[Symbol.asyncDispose]();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe("cleaning up", () => {
  it("removes events older than a day, ended sessions and old failed sign-ins, and nothing else", async () => {
    await database.clear();
    const orm = await openOrm({ connection: database.connection, log });
    cleanup.defer(() => orm.close(true));
    const now = 1_800_000_000;
    await database.query(
      "insert into events (type, payload, created_at) values ('settings.changed', '{}', $1), ('settings.changed', '{}', $2)",
      [now - 90_000, now - 100],
    );
    await database.query(
      "insert into login_failures (account_key, window_started_at, failures) values ('old', $1, 3), ('new', $2, 3)",
      [now - 10_000, now - 100],
    );
    await database.query(
      `insert into users (id, username, password_hash, name, role, created_at)
       values ('0198aaaa-0000-7000-8000-000000000001', 'a', 'x', 'a', 'client', 1)`,
    );
    for (const [id, used, expires] of [
      ["0198aaaa-0000-7000-8000-00000000000a", now - 10, now + 10],
      ["0198aaaa-0000-7000-8000-00000000000b", now - 10, now - 1],
      ["0198aaaa-0000-7000-8000-00000000000c", now - 7_300, now + 10],
    ] as const) {
      await database.query(
        `insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, ip, user_agent)
         values ($1::uuid, decode(replace($1::text, '-', ''), 'hex'), '0198aaaa-0000-7000-8000-000000000001', 1, $2, $3, '', '')`,
        [id, used, expires],
      );
    }
    await database.query(
      `insert into known_addresses (user_id, address, last_signed_in_at)
       values ('0198aaaa-0000-7000-8000-000000000001', 'old', $1), ('0198aaaa-0000-7000-8000-000000000001', 'new', $2)`,
      [now - 91 * 86_400, now - 89 * 86_400],
    );
    const clock = { ...systemClock, now: () => now };
    await cleanUpJob({ orm, clock, sessionLimits: { ttl: 43_200, idle: 7_200 } }).handle({});
    expect(await database.query("select created_at::int from events")).toEqual([{ created_at: now - 100 }]);
    expect(await database.query("select account_key from login_failures")).toEqual([{ account_key: "new" }]);
    expect(await database.query("select address from known_addresses")).toEqual([{ address: "new" }]);
    expect(await database.query("select id from sessions")).toEqual([{ id: "0198aaaa-0000-7000-8000-00000000000a" }]);
  });
});

describe.skipIf(process.env.TEST_DATABASE_URL !== undefined)("maintenance of the embedded database", () => {
  it("removes dead rows and shortens the write-ahead log", async () => {
    const orm = await openOrm({ connection: database.connection, log });
    cleanup.defer(() => orm.close(true));
    const text = "select n, repeat(md5(n::text), 10) as text from generate_series(1, 40000) n";
    await database.query(`create table busy as ${text}`);
    cleanup.defer(async () => void (await database.query("drop table busy")));
    for (let round = 0; round < 3; round++) await database.query("update busy set n = n + 1");
    // The statistics are written with a delay, and those of the last update must not follow the vacuum's own.
    await database.query("select pg_stat_force_next_flush()");
    await maintenanceJob({ orm, log }).handle({});
    const [left] = await database.query(
      `select n_dead_tup::int as dead, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int < 1024 * 1024 as short
       from pg_stat_user_tables, pg_control_checkpoint() where relname = 'busy'`,
    );
    expect(left).toEqual({ dead: 0, short: true });
  });
});
