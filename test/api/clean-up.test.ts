import { v7 as newId } from "uuid";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLEAN_UP_JOB } from "../../src/server/operations/clean-up-job.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { cleanUp } from "../harness/clean-up.ts";
import { databaseClockOf, fixedClock, START } from "../harness/clocks.ts";
import { MISSING } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import { useLogLines } from "../harness/log-lines.ts";
import { restClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { startApp } from "../harness/start-app.ts";
import { within } from "../harness/time-limits.ts";

const HOUR_SECONDS = 3_600;
/** Further than anything is kept. */
const FAR_DAYS = 401;

/** Of the database, by which everything is right. */
const clock = fixedClock();
/** Of the server of these tests. */
const processClock = fixedClock();
const databaseClock = databaseClockOf(clock);
const app = useApp({ overrides: { clock: processClock, databaseClock } });

/** Rows that are kept, or not, by their age in days. */
const AGED = {
  host_changes: (at: number) => ({
    id: newId({ msecs: at * 1_000 }),
    host_id: MISSING,
    kind: "gone",
    at,
    changes: [],
  }),
  login_failures: (at: number) => ({ account_key: newId(), window_started_at: at, failures: 3 }),
  known_addresses: (at: number) => ({
    user_id: app.root.id,
    address: newId(),
    last_signed_in_at: at,
  }),
  sessions: (at: number) => {
    const id = newId();
    const times = { created_at: at, last_used_at: at, expires_at: at + 12 * HOUR_SECONDS };
    return { id, user_id: app.root.id, token_hash: `\\x${id.replaceAll("-", "")}`, ...times };
  },
  sign_in_challenges: (at: number) => ({
    token_hash: `\\x${newId().replaceAll("-", "")}`,
    user_id: app.root.id,
    failures: 0,
    expires_at: at + 300,
  }),
  events: (at: number) => ({ type: "settings.changed", payload: {}, created_at: at }),
  sync_runs: (at: number) => ({
    id: newId({ msecs: at * 1_000 }),
    config_id: MISSING,
    config_name: "旧账号",
    trigger: "manual",
    status: "succeeded",
    started_at: at,
    finished_at: at,
  }),
} as const;
type AgedTable = keyof typeof AGED;

async function insertAged(table: AgedTable, ...ages: readonly number[]): Promise<void> {
  const rows = ages.map((age) => AGED[table](START - age * DAY_SECONDS));
  const more = table === "sessions" ? { ip: "", user_agent: "" } : {};
  await insertRows(
    app.database,
    table,
    rows.map((row) => ({ ...row, ...more })),
  );
}

async function count(table: string): Promise<number> {
  const [row] = await app.database.query(`select count(*)::int as n from ${table}`);
  return Number(row?.n);
}

/** The ages of the changes of hosts that are left, in days. */
async function agesOfHistory(): Promise<number[]> {
  const rows = await app.database.query("select at from host_changes order by at desc");
  return rows.map(({ at }) => (START - Number(at)) / DAY_SECONDS);
}

/** A replica whose clock is off by so many seconds, beside a database whose clock is right. */
async function startReplica(offset: number) {
  const { now } = clock;
  const replica = await startApp(app.database.connection, {
    overrides: { clock: { ...clock, now: () => now() + offset }, databaseClock },
  });
  onTestFinished(() => replica[Symbol.asyncDispose]());
  return replica;
}

describe("a process whose clock is wrong", () => {
  it("by 401 days ahead, removes nothing that is kept", async () => {
    await insertAged("host_changes", 1);
    await insertAged("known_addresses", 1);
    await insertAged("sync_runs", 1);
    const tables = ["host_changes", "known_addresses", "sync_runs", "sessions"];
    const before = await Promise.all(tables.map(count));
    processClock.forward(FAR_DAYS * DAY_SECONDS);
    onTestFinished(() => processClock.rewind());

    const insert = "insert into pgboss.job (name, data) values ($1, '{}') returning id";
    const [job] = await app.database.query(insert, [CLEAN_UP_JOB]);
    const state = async () => {
      const text = "select state::text from pgboss.job where id = $1";
      return (await app.database.query(text, [job?.id]))[0]?.state;
    };
    await expect.poll(state, { timeout: within(30_000) }).toBe("completed");

    expect(await Promise.all(tables.map(count))).toEqual(before);
  });

  it("by three hours behind, ends no session for the others", async () => {
    const replica = await startReplica(-3 * HOUR_SECONDS);

    const there = await restClient(replica.url, app.root.token).get("/api/auth/me");
    const here = await app.root.get("/api/auth/me");

    expect([there.status, here.status]).toEqual([200, 200]);
  });

  it("by ten minutes ahead, does not let guesses of a password begin anew", async () => {
    const replica = await startReplica(600);
    const body = { username: "root", password: "Wrong1Password" };

    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) {
      const url = guess % 2 === 0 ? replica.url : app.url;
      statuses.push((await restClient(url).post("/api/auth/login", body)).status);
    }

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  it("by a hundred days behind, forgets no address from which somebody signs in", async () => {
    const replica = await startReplica(-100 * DAY_SECONDS);

    const body = { username: "root", password: PASSWORD };
    const answer = await restClient(replica.url).post("/api/auth/login", body);
    await cleanUp(app, { clock });

    const addresses = await count("known_addresses");
    expect([answer.status, addresses]).toEqual([200, 1]);
  });
});

describe("a database whose clock is wrong", () => {
  it("by 401 days ahead, loses a day of history in a clean-up, and the log says so", async () => {
    await cleanUp(app, { clock });
    await insertAged("host_changes", 1, 300, 398.5, 399.5);
    const { lines, log } = useLogLines();
    clock.forward(FAR_DAYS * DAY_SECONDS);
    onTestFinished(() => clock.rewind());

    const cleaning = cleanUp(app, { clock, log });

    await expect(cleaning).rejects.toThrow("held back");
    expect(await agesOfHistory()).toEqual([1, 300, 398.5]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: 40,
      msg: expect.stringContaining("clean-up held back"),
      databaseTime: START + FAR_DAYS * DAY_SECONDS,
      cleanedUpTo: START + DAY_SECONDS,
    });
  });

  it("and is set back, goes on being cleaned up, by the right time", async () => {
    await cleanUp(app, { clock });
    clock.forward(FAR_DAYS * DAY_SECONDS);
    await expect(cleanUp(app, { clock })).rejects.toThrow("held back");
    clock.rewind();
    await insertAged("host_changes", 399.5, 400.5);

    await cleanUp(app, { clock });

    expect(await agesOfHistory()).toEqual([399.5]);
  });

  it("by decades behind, takes nothing for the future's", async () => {
    await cleanUp(app, { clock });
    await insertAged("known_addresses", 1, 80);
    await insertAged("login_failures", 0, 0);
    const sessions = "select * from sessions";
    const before = await app.database.query(sessions);

    await cleanUp(app, { clock: fixedClock(0) });

    expect(await count("known_addresses")).toBe(3);
    expect(await count("login_failures where failures = 3")).toBe(2);
    expect(await app.database.query(sessions)).toEqual(before);
  });
});

it("after a standstill the clean-up catches up by a day in each run", async () => {
  await cleanUp(app, { clock });
  await insertAged("host_changes", 349.5);
  clock.forward(60 * DAY_SECONDS);
  onTestFinished(() => clock.rewind());
  await insertAged("known_addresses", -60);
  const left: number[] = [];

  for (let run = 1; run < 60; run++) {
    await expect(cleanUp(app, { clock })).rejects.toThrow("held back");
    left.push(await count("host_changes"));
  }
  await cleanUp(app, { clock });

  expect(left.lastIndexOf(1) + 1).toBe(50);
  expect(await count("known_addresses")).toBe(2);
});

describe("one clean-up", () => {
  it("goes on when a step fails, names it in the log, and ends as failed", async () => {
    // First: the server's own clean-up may run at this moment, and must not remove them either.
    await watchDeletions("events", { atMost: 0 });
    await insertAged("events", 3, 2);
    await insertAged("login_failures", 1);
    const { lines, log } = useLogLines();

    const cleaning = cleanUp(app, { clock, log });

    await expect(cleaning).rejects.toThrow("not cleaned up: events");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 50, step: "events" });
    expect(await count("login_failures where failures = 3")).toBe(0);
  });

  it.each(Object.keys(AGED).filter(isAgedTable))(
    "removes many rows, a thousand at most with a statement: %s",
    async (table) => {
      // What the test before has left of its events is old, too.
      await app.database.query("delete from events");
      const old = Array.from({ length: 2_345 }, (_, n) => FAR_DAYS + n);
      await insertAged(table, ...old, 0);
      await watchDeletions(table, { atMost: 1_000 });
      const before = await count(table);

      await cleanUp(app, { clock });

      expect(before - (await count(table))).toBe(old.length);
    },
  );

  it("removes many partitions, a thousand at most with a statement", async () => {
    const config_id = await app.config();
    const partitions = Array.from({ length: 2_345 }, (_, n) => ({
      config_id,
      project_id: "p",
      region: `region-${n}`,
      read_at: START - FAR_DAYS * DAY_SECONDS,
    }));
    await insertRows(app.database, "sync_partitions", partitions);
    await watchDeletions("sync_partitions", { atMost: 1_000 });

    await cleanUp(app, { clock });

    expect(await count("sync_partitions")).toBe(0);
  });
});

it("entries of the audit log are removed when they are old, and the removal is recorded", async () => {
  const entry = { actor_type: "system", action: "job.sync-run", outcome: "ok" };
  const old = Array.from({ length: 2_345 }, (_, n) => START - (FAR_DAYS + n) * DAY_SECONDS);
  const times = [...old, START - 399 * DAY_SECONDS];
  await insertRows(
    app.database,
    "audit_entries",
    times.map((at, seq) => ({ ...entry, id: newId(), seq, at, changes: [], count: 1 })),
  );
  await watchDeletions("audit_entries", { atMost: 1_000 });

  await cleanUp(app, { clock });

  expect(await count("audit_entries where action = 'job.sync-run'")).toBe(1);
  const [cleaned] = (await app.root.get("/api/audit?action=job.clean-up")).data.entries;
  expect(cleaned).toMatchObject({
    actor: { type: "system", id: null, name: "clean-up", token: null },
    changes: [{ field: "removedRows", from: null, to: old.length }],
  });
});

function isAgedTable(name: string): name is AgedTable {
  return Object.hasOwn(AGED, name);
}

/** Until the end of the test the database refuses a statement that deletes more rows. */
async function watchDeletions(
  table: string,
  { atMost }: { readonly atMost: number },
): Promise<void> {
  const { database } = app;
  await database.query(`
    create function limit_deletions() returns trigger language plpgsql as $$
    begin
      if (select count(*) from removed) > ${atMost} then
        raise exception 'too many rows in one statement';
      end if;
      return null;
    end $$;
    create trigger limit_deletions after delete on ${table}
      referencing old table as removed
      for each statement execute function limit_deletions()`);
  onTestFinished(async () => {
    await database.query(`
      drop trigger limit_deletions on ${table};
      drop function limit_deletions`);
  });
}
