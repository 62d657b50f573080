import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/server/platform/clock.ts";
import type { SyncInterval } from "../../../src/shared/configs.ts";
import { DAY_SECONDS } from "../../../src/shared/time.ts";
import { MAIN_KEYS } from "../../../src/simulator/options.ts";
import { startSimulator } from "../../../src/simulator/server.ts";
import { fixedClock } from "../../harness/clocks.ts";
import { buildConfig } from "../../harness/data.ts";
import { setField } from "../../harness/provider-faults.ts";
import { assertOk } from "../../harness/rest.ts";
import { DATABASES, ROUNDS_LIMIT, rounds } from "../../harness/rounds.ts";
import { signIn } from "../../harness/server-fixture.ts";
import { startApp } from "../../harness/start-app.ts";
import { startReplica } from "../../sync/replica.ts";
import { openDatabase } from "./open-database.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAYS = Math.min(rounds(7, 3), 7);
/** The product looks once a minute; so far apart the test stays short. */
const TICK = 5 * MINUTE;
/** Each slot may come up to a tenth of an interval later. */
const LATEST = DAY_SECONDS / 10;

test.each(DATABASES)(
  `two replicas on $name sync every slot of ${DAYS} days once`,
  { timeout: ROUNDS_LIMIT },
  async ({ server }) => {
    const world = await openWorld(server);
    const configs = await world.configure(60, 360, 1440);

    await world.passTime(DAYS * DAY_SECONDS + LATEST);

    const runs = await Promise.all(configs.map(world.runTimes));
    expect(runs).toEqual(configs.map(world.expectedTimes));
    expect(runs.map(({ length }) => length)).toEqual([24 * DAYS + 2, 4 * DAYS, DAYS]);
    expect(await world.otherResults()).toEqual([]);
  },
);

test.each(DATABASES)(
  "a clock on $name that is set by an hour runs no slot twice",
  { timeout: ROUNDS_LIMIT },
  async ({ server }) => {
    const world = await openWorld(server);
    const configs = await world.configure(15, 60, 360);

    await world.passTime(7 * HOUR);
    world.setClock(HOUR);
    await world.passTime(7 * HOUR);
    world.setClock(-HOUR);
    await world.passTime(7 * HOUR);

    const runs = await Promise.all(configs.map(world.runTimes));
    expect(runs).toEqual(configs.map(world.expectedTimes));
    expect(await world.otherResults()).toEqual([]);
  },
);

interface ScheduledConfig {
  readonly id: string;
  /** In seconds. */
  readonly interval: number;
  readonly firstSlot: number;
}

/** A provider, a database and two replicas, whose clocks stand still until the test moves them. */
async function openWorld(server: string | null) {
  const connection = await openDatabase(server);
  const simulator = await startSimulator({ hosts: 3, projects: 1, regions: ["hk"] });
  onTestFinished(() => simulator[Symbol.asyncDispose]());
  // Saves two dozen refused calls in each run.
  const regions = setField("Regions", [{ Region: "hk", Zone: "hk-01" }]);
  simulator.control.addFaults({ action: "GetRegion", fault: regions });

  const clock = fixedClock(systemClock.now());
  const databaseClock = { now: async () => clock.now() };
  const config = {
    providerAllowedOrigins: [simulator.url],
    session: { ttl: 30 * DAY_SECONDS, idle: 30 * DAY_SECONDS },
  };
  const app = await startApp(connection, { overrides: { clock, databaseClock }, config });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const root = await signIn(app.url);

  const allowedOrigins = [simulator.url];
  const options = { connection, orm: app.orm, clock, databaseClock, allowedOrigins };
  const replicas = [await startReplica(options), await startReplica(options)];
  const ticks: number[] = [];

  const runSql = (sql: string, values: readonly unknown[] = []) =>
    app.orm.em
      .fork()
      .getConnection()
      .execute<Record<string, unknown>[]>(sql, [...values]);

  async function createConfig(syncIntervalMinutes: SyncInterval): Promise<ScheduledConfig> {
    const name = `每${syncIntervalMinutes}分钟`;
    const account = { ...MAIN_KEYS, apiUrl: simulator.url };
    const body = buildConfig({ name, ...account, syncIntervalMinutes });
    const { data } = await assertOk(root.post("/api/hosts/configs", body));

    const { id, nextSyncAt: firstSlot } = data;
    return { id, interval: syncIntervalMinutes * MINUTE, firstSlot };
  }

  /** Both look at the same moment, and what they have started ends. */
  async function tick(): Promise<void> {
    ticks.push(clock.now());
    await Promise.all(replicas.map((replica) => replica.tick()));

    const live = () => runSql("select from sync_runs where finished_at is null");
    await expect.poll(live, { interval: 5 }).toEqual([]);
  }

  return {
    /** A configuration for each interval. */
    async configure(...intervals: readonly SyncInterval[]): Promise<ScheduledConfig[]> {
      return await Promise.all(intervals.map(createConfig));
    },
    async passTime(seconds: number): Promise<void> {
      const end = clock.now() + seconds;
      while (clock.now() < end) {
        clock.forward(TICK);
        await tick();
      }
    },
    /** Forward or back. */
    setClock: (seconds: number) => clock.forward(seconds),
    /** When the runs of a configuration were started, in the order in which they were. */
    async runTimes({ id }: ScheduledConfig): Promise<number[]> {
      const runs = await runSql(
        "select queued_at::int as at from sync_runs where config_id = ? order by id",
        [id],
      );
      return runs.map(({ at }) => Number(at));
    },
    /**
     * The first look after each slot. Slots that passed between two looks are one run, and those of
     * an hour that comes again are over.
     */
    expectedTimes({ interval, firstSlot }: ScheduledConfig): number[] {
      const times: number[] = [];
      let lastSlot = -1;
      for (const at of ticks) {
        const slot = Math.floor((at - firstSlot) / interval);
        if (slot > lastSlot) times.push(at);
        lastSlot = Math.max(slot, lastSlot);
      }
      return times;
    },
    /** Runs that are not what a schedule starts, or did not succeed. */
    otherResults: () =>
      runSql(
        `select trigger, status, errors from sync_runs
         where trigger <> 'schedule' or requested_by is not null or status <> 'succeeded'`,
      ),
  };
}
