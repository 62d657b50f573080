import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/server/platform/clock.ts";
import { DAY_SECONDS } from "../../../src/shared/time.ts";
import { MAIN_KEYS, SUB_KEYS } from "../../../src/simulator/options.ts";
import { startSimulator } from "../../../src/simulator/server.ts";
import { fixedClock } from "../../harness/clocks.ts";
import { setField } from "../../harness/provider-faults.ts";
import { DATABASES, ROUNDS_LIMIT, rounds } from "../../harness/rounds.ts";
import { signIn } from "../../harness/server-fixture.ts";
import { startApp } from "../../harness/start-app.ts";
import { startReplica } from "../../sync/replica.ts";
import { ChangingWorld } from "./changing-world.ts";
import { ConsoleUser } from "./console-user.ts";
import { openDatabase } from "./open-database.ts";
import { WorldJournal } from "./world-journal.ts";

const HOUR = 3_600;
/** Until everything has happened that does not happen every day. */
const SHORT_DAYS = 8;
const DAYS = Math.max(rounds(30, SHORT_DAYS), SHORT_DAYS);
const REGIONS = ["cn-bj2", "hk", "sg"];
/** What histories of such a world name. */
const WORDS = [
  ...["created", "changed", "gone", "returned"],
  ...["name", "cpu", "memory", "osName", "status", "providerStatus"],
  ...["chargeType", "expireTime", "ipSet"],
];
/** A user refreshes hosts every so many hours. */
const REFRESH_HOURS = 5;
/** Of the mass deletion, when nobody refreshes a host, and when a user confirms it. */
const DELETION_HOUR = 5 * 24 + 4;
const CONFIRM_HOUR = DELETION_HOUR + 40;

test.each(DATABASES)(
  `after ${DAYS} days of hourly syncs the console on $name says what the world did`,
  { timeout: ROUNDS_LIMIT },
  async ({ server }) => {
    const { world, journal, user, runs, passHour } = await openMonth(server);

    for (let hour = 1; hour <= 24 * DAYS; hour++) await passHour(hour);

    expect(journal.words(), "much has happened").toEqual(expect.arrayContaining(WORDS));
    expect(await user.presentHosts()).toEqual(journal.present());
    expect(await user.goneHosts()).toEqual(journal.gone().toSorted());
    expect(await user.heldHosts()).toEqual([...world.held].toSorted());
    expect(await user.histories()).toEqual(journal.histories());
    expect(await runs.unsuccessful()).toEqual([]);
    expect(await runs.updated()).toBe((await runs.toldChanges()) + journal.endedHolds);
  },
);

async function openMonth(server: string | null) {
  const connection = await openDatabase(server);
  const clock = fixedClock(systemClock.now());
  const databaseClock = { now: async () => clock.now() };
  const simulator = await startSimulator({
    hosts: 70,
    projects: 2,
    regions: REGIONS,
    now: clock.now(),
  });
  onTestFinished(() => simulator[Symbol.asyncDispose]());
  // Saves two dozen refused calls in each run.
  const rows = REGIONS.map((Region) => ({ Region, Zone: `${Region}-01` }));
  simulator.control.addFaults({ action: "GetRegion", fault: setField("Regions", rows) });

  const config = {
    providerAllowedOrigins: [simulator.url],
    session: { ttl: 90 * DAY_SECONDS, idle: 90 * DAY_SECONDS },
  };
  const app = await startApp(connection, { overrides: { clock, databaseClock }, config });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const runSql = (sql: string, values: readonly unknown[] = []) =>
    app.orm.em
      .fork()
      .getConnection()
      .execute<Record<string, unknown>[]>(sql, [...values]);
  // The schedule looks when the test says so, and not once a minute.
  await runSql("delete from pgboss.schedule");

  const allowedOrigins = [simulator.url];
  const replica = await startReplica({
    connection,
    orm: app.orm,
    clock,
    databaseClock,
    allowedOrigins,
  });
  const user = new ConsoleUser(await signIn(app.url));
  const world = new ChangingWorld(simulator.control, TIMELINE);
  const journal = new WorldJournal();

  /** What is due starts, and ends. */
  async function sync(): Promise<void> {
    await replica.tick();
    const live = () => runSql("select from sync_runs where finished_at is null");
    await expect.poll(live, { interval: 5 }).toEqual([]);
  }

  /** The world changes and is noted at one moment, whatever the server does meanwhile. */
  async function passHour(hour: number): Promise<void> {
    clock.forward(HOUR);
    world.passHour(clock.now());
    journal.observe(clock.now(), world.shown(), world.held);

    if (hour % REFRESH_HOURS === 0) {
      await user.refresh([...world.touched, ...world.held].slice(0, 4));
    }
    if (hour === CONFIRM_HOUR) await user.confirmRemovals(main.id);
    await sync();

    const held = [...world.held].toSorted();
    expect(await user.heldHosts(), `held in hour ${hour}`).toEqual(held);
  }

  const account = { apiUrl: simulator.url, ...MAIN_KEYS, syncIntervalMinutes: 60 };
  const main = await user.addConfig({ name: "主账号", ...account });
  clock.forward((main.nextSyncAt ?? 0) - clock.now());
  simulator.control.setTime(clock.now());
  journal.observe(clock.now(), world.shown(), world.held);
  await sync();
  // It sees the first project, whose hosts the other one has.
  const [first] = simulator.control.projects();
  const projectIds = first === undefined ? [] : [first.id];
  const sub = { ...account, ...SUB_KEYS, projectIds, syncIntervalMinutes: 1440 };
  await user.addConfig({ name: "子账号", ...sub });

  const runs = {
    /** Hosts that the runs counted as updated. */
    async updated(): Promise<number> {
      const [row] = await runSql("select sum(updated)::int as n from sync_runs");
      return Number(row?.n);
    },
    /** Changes in the histories of hosts that runs have found. */
    async toldChanges(): Promise<number> {
      const [row] = await runSql(
        `select count(*)::int as n from host_changes
         where run_id is not null and kind in ('changed', 'moved', 'returned')`,
      );
      return Number(row?.n);
    },
    unsuccessful: () =>
      runSql(
        `select status, errors from sync_runs
         where status not in ('succeeded', 'partial')
           or (status = 'partial' and config_id = ? and not exists (
             select from jsonb_array_elements(errors) e
             where e->>'code' in ('empty', 'unavailable', 'mass-removal')))`,
        [main.id],
      ),
  };
  return { world, journal, user, runs, passHour };
}

type Timeline = ConstructorParameters<typeof ChangingWorld>[1];

/** What does not happen every day, by the hour at which it does. */
const TIMELINE: Timeline = [
  [2 * 24, (world) => world.closeRegion("hk")],
  [2 * 24 + 7, (world) => world.openRegion("hk")],
  [3 * 24, (world) => world.emptyPartition("sg")],
  [
    4 * 24 + 12,
    (world) => {
      const ids = world.hideProject();
      world.after(5, () => world.showProject(ids));
    },
  ],
  [DELETION_HOUR, (world) => world.removeMany()],
  [CONFIRM_HOUR, (world) => world.held.clear()],
];
