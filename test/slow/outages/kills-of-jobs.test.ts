import { setTimeout as sleep } from "node:timers/promises";
import { describe, type ExpectStatic, test } from "vitest";
import { SCHEDULE_JOB } from "../../../src/server/modules/sync/schedule/schedule-job.ts";
import { SETTLE_JOB } from "../../../src/server/modules/sync/settling/settling.ts";
import { CLEAN_UP_JOB } from "../../../src/server/operations/clean-up-job.ts";
import { BATCH_SIZE } from "../../../src/server/platform/retention/delete-in-batches.ts";
import type { SyncInterval } from "../../../src/shared/configs.ts";
import { DAY_SECONDS } from "../../../src/shared/time.ts";
import { hostTotal, providerTotal } from "../../harness/calls.ts";
import { DATABASES, ROUNDS_LIMIT, rounds } from "../../harness/rounds.ts";
import {
  configure,
  openServerFixture,
  type ServerFixture,
  signIn,
  syncAll,
} from "../../harness/server-fixture.ts";
import { within } from "../../harness/time-limits.ts";

const KILLS = rounds(50, 2);
/** Of the clean-up, whose rounds are all alike. */
const KILLS_OF_CLEAN_UP = rounds(50, 1);
const POLL = { timeout: within(60_000), interval: 200 };
/** Hosts that change in each round. */
const CHANGED = 5;
/** As the clean-up removes them. */
const OLD_BATCHES = 6;

// One after the other: six servers at once would starve the starts of each other.
describe("scheduled run", () => {
  test.concurrent.for(DATABASES)(
    "a server on $name killed in a scheduled run syncs the next slot, and none twice",
    { timeout: ROUNDS_LIMIT },
    async ({ server }, { expect }) => {
      await using fixture = await openServerFixture({ server, hosts: 60 });
      const { provider, storage } = fixture;
      const victim = await startVictim(fixture, 15);
      const scheduledRuns = () =>
        storage.query(
          "select status, finished_at, gone from sync_runs where trigger = 'schedule' order by id",
        );
      const endedRuns = async () =>
        (await scheduledRuns()).filter((run) => run.finished_at !== null).length;

      for (let round = 0; round < KILLS; round++) {
        const name = `第${round}轮`;
        await provider.control("addHosts", { region: "cn-bj2", count: CHANGED });
        await provider.control("updateHosts", { count: CHANGED }, { Name: name });
        const isHeld = round % 2 === 0;
        if (isHeld) await provider.control("hold", nthListing(1 + (round % 5)));
        await passSlot(fixture);
        await victim.sendJob(SCHEDULE_JOB);
        if (isHeld) await provider.control("waitForHeld");
        else await expect.poll(scheduledRuns, POLL).toHaveLength(2 * round + 1);

        await sleep(Math.random() * 80);
        await victim.killAndRestart();

        await provider.control("release");
        await expect.poll(endedRuns, POLL).toBe(2 * round + 1);
        await passSlot(fixture);
        await victim.sendJob(SCHEDULE_JOB);
        await expect.poll(endedRuns, POLL).toBe(2 * round + 2);
        const runs = await scheduledRuns();
        expect(["interrupted", "succeeded"]).toContain(runs.at(-2)?.status);
        expect(runs.at(-1)).toMatchObject({ status: "succeeded", gone: 0 });
        expect(runs).toHaveLength(2 * round + 2);
        expect(await hostTotal(victim.root)).toBe(await providerTotal(provider));
        expect(await countChanges(fixture, "name", name)).toBe(CHANGED);
        await expectOneCreationEach(fixture, expect);
      }
    },
  );
});

describe("round of settling", () => {
  test.concurrent.for(DATABASES)(
    "a server on $name killed in a round of settling settles the hosts, once",
    { timeout: ROUNDS_LIMIT },
    async ({ server }, { expect }) => {
      await using fixture = await openServerFixture({ server, hosts: 60 });
      const { provider, storage } = fixture;
      // Else some hosts are on their way to another state from the start.
      await provider.control("updateHosts", {}, { State: "Running" });
      const victim = await startVictim(fixture, null);
      const roundsIn = (states: readonly string[]) => () =>
        storage.query(
          "select state::text from pgboss.job where name = $1 and state::text = any ($2)",
          [SETTLE_JOB, states],
        );

      for (let round = 0; round < KILLS; round++) {
        await provider.control("updateHosts", { count: CHANGED }, { State: "Rebooting" });
        await syncAll(victim.root);
        await provider.control("updateHosts", { count: CHANGED }, { State: "Running" });
        const isHeld = round % 2 === 0;
        if (isHeld) await provider.control("hold", { ...nthListing(1), byId: true });
        await endWaits(fixture, SETTLE_JOB);
        if (isHeld) await provider.control("waitForHeld");
        else await expect.poll(roundsIn(["active", "completed"]), POLL).toHaveLength(1);

        await sleep(Math.random() * 40);
        await victim.killAndRestart();

        await provider.control("release");
        const unfinished = async () => {
          await endWaits(fixture, SETTLE_JOB);
          return await roundsIn(["created", "retry", "active"])();
        };
        await expect.poll(unfinished, POLL).toEqual([]);
        expect(await roundsIn(["failed", "cancelled"])()).toEqual([]);
        expect(await storage.query("select from hosts where status = 'Rebooting'")).toEqual([]);
        expect(await hostTotal(victim.root)).toBe(await providerTotal(provider));
        expect(await countChanges(fixture, "status", "Running")).toBe(CHANGED * (round + 1));
        await storage.query("delete from pgboss.job where name = $1", [SETTLE_JOB]);
      }
    },
  );
});

describe("clean-up", () => {
  test.concurrent.for(DATABASES)(
    "a server on $name killed in a clean-up removes whole batches, and the rest later",
    { timeout: ROUNDS_LIMIT },
    async ({ server }, { expect }) => {
      await using fixture = await openServerFixture({ server, hosts: 60 });
      const victim = await startVictim(fixture, null);
      await fixture.storage.query(ID_OF_TIME);

      for (let round = 0; round < KILLS_OF_CLEAN_UP; round++) {
        await insertOldRows(fixture);
        const kept = await digestKeptRows(fixture);
        // The second is the one of ten minutes later, for the server that comes after the kill.
        await victim.sendJob(CLEAN_UP_JOB);
        await victim.sendJob(CLEAN_UP_JOB);
        const isUnderWay = async () => (await countOldRows(fixture)).batches < 2 * OLD_BATCHES;
        await expect.poll(isUnderWay, POLL).toBe(true);

        await sleep(Math.random() * 300);
        await victim.killAndRestart();

        const left = async () => {
          const { batches, others } = await countOldRows(fixture);
          expect(others).toBe(0);
          return batches;
        };
        await expect.poll(left, POLL).toBe(0);
        expect(await digestKeptRows(fixture)).toEqual(kept);
      }
    },
  );
});

/** A server with one configuration, whose hosts are synced. */
async function startVictim(fixture: ServerFixture, syncIntervalMinutes: SyncInterval | null) {
  const { storage } = fixture;
  let server = await fixture.start();
  let root = await signIn(server.url);
  await configure(root, fixture.provider, { syncIntervalMinutes });
  await syncAll(root);

  return {
    get root() {
      return root;
    },
    /** As the queue sends it by its schedule. */
    async sendJob(name: string): Promise<void> {
      await storage.query("insert into pgboss.job (name, data) values ($1, '{}')", [name]);
    },
    /** What the dead process had in hand is taken for lost at once, and not after 15 s. */
    async killAndRestart(): Promise<void> {
      await server.kill("SIGKILL");
      const killedAt = Date.now() / 1000;
      server = await fixture.start();
      root = await signIn(server.url);
      await storage.query(
        `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute'
         where state = 'active' and started_on < to_timestamp($1)`,
        [killedAt],
      );
    },
  };
}

/** The calls that list hosts, from the n-th on. */
function nthListing(nth: number) {
  return { action: "DescribeUHostInstance", byId: false, nth, times: 1_000_000 };
}

/**
 * The runs so far, and the choice of the interval, are twenty minutes old: a slot passed some minutes
 * ago, and the next one comes after the round.
 */
async function passSlot({ storage }: ServerFixture): Promise<void> {
  await storage.query(
    `with earlier as (
       update sync_runs set queued_at = queued_at - 1200, started_at = started_at - 1200,
         finished_at = finished_at - 1200
     )
     update configs set schedule_chosen_at = extract(epoch from now())::bigint - 1200`,
  );
}

/** What waits for its time is due. */
async function endWaits({ storage }: ServerFixture, job: string): Promise<void> {
  await storage.query(
    `update pgboss.job set start_after = now()
     where name = $1 and state in ('created', 'retry') and start_after > now()`,
    [job],
  );
}

/** Entries of the history that say that a field became this. */
async function countChanges(
  { storage }: ServerFixture,
  field: string,
  to: string,
): Promise<number> {
  const [row] = await storage.query(
    `select count(*)::int as count from host_changes
     cross join jsonb_array_elements(changes) change
     where kind = 'changed' and change->>'field' = $1 and change->>'to' = $2`,
    [field, to],
  );
  return Number(row?.count);
}

/** Every host has exactly one entry that it was created. */
async function expectOneCreationEach(
  { storage }: ServerFixture,
  expect: ExpectStatic,
): Promise<void> {
  const others = await storage.query(
    `select h.id, count(c.id)::int as creations from hosts h
     left join host_changes c on c.host_id = h.id and c.kind = 'created'
     group by h.id having count(c.id) <> 1`,
  );
  expect(others).toEqual([]);
}

/** Ids of a time, as the server makes them. */
const ID_OF_TIME = `
  create function history_id(seconds bigint) returns uuid language sql volatile as $$
    select (lpad(to_hex(seconds * 1000), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
      || 'a' || substr(md5(random()::text), 1, 15))::uuid
  $$`;
const CHANGES_BEFORE = `extract(epoch from now())::bigint - ${400 * DAY_SECONDS}`;
const RUNS_BEFORE = `extract(epoch from now())::bigint - ${90 * DAY_SECONDS}`;

/** Changes of hosts and runs of a deleted configuration that are kept no longer. */
async function insertOldRows({ storage }: ServerFixture): Promise<void> {
  await storage.query(
    `insert into sync_runs (id, config_id, config_name, trigger, status, started_at, finished_at)
     select history_id(old.at), gen_random_uuid(), '旧账号', 'manual', 'succeeded', old.at, old.at
     from (
       select ${RUNS_BEFORE} - 1000 - n as at from generate_series(1, ${OLD_BATCHES * BATCH_SIZE}) n
     ) old`,
  );
  await storage.query(
    `insert into host_changes (id, host_id, kind, at)
     select history_id(old.at), gen_random_uuid(), 'gone', old.at
     from (
       select ${CHANGES_BEFORE} - 1000 - n as at
       from generate_series(1, ${OLD_BATCHES * BATCH_SIZE}) n
     ) old`,
  );
}

/** Whole batches of old rows that are left, and rows beside them, at one moment. */
async function countOldRows({ storage }: ServerFixture) {
  const [row] = await storage.query(
    `select
       (select count(*)::int from sync_runs where finished_at < ${RUNS_BEFORE}) as runs,
       (select count(*)::int from host_changes where at < ${CHANGES_BEFORE}) as changes`,
  );
  const runs = Number(row?.runs);
  const changes = Number(row?.changes);
  return {
    batches: Math.floor(runs / BATCH_SIZE) + Math.floor(changes / BATCH_SIZE),
    others: (runs % BATCH_SIZE) + (changes % BATCH_SIZE),
  };
}

/** Of the rows that no clean-up may remove. */
async function digestKeptRows({ storage }: ServerFixture) {
  const [row] = await storage.query(
    `select
       (select md5(string_agg(id::text, ' ' order by id)) from sync_runs
        where finished_at >= ${RUNS_BEFORE}) as runs,
       (select md5(string_agg(id::text, ' ' order by id)) from host_changes
        where at >= ${CHANGES_BEFORE}) as changes`,
  );
  return row;
}
