import { beforeEach, describe, expect, it } from "vitest";
import type { Fault } from "../../src/simulator/faults.ts";
import { httpStatus } from "../harness/provider-faults.ts";
import { assertOk } from "../harness/rest.ts";
import { startReplica } from "./replica.ts";
import { useSync } from "./sync-fixture.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const TICK = 5 * MINUTE;

const { app, clock, databaseClock, sync } = useSync({ hosts: 6, regions: ["hk"] });

beforeEach(() => clock.rewind());

async function config(id: string) {
  const { data } = await assertOk(app.root.get("/api/hosts/configs/list"));
  return data.find((each: { id: string }) => each.id === id);
}

/**
 * Scheduled runs, the oldest first, and the minutes between each and the one before, to the nearest
 * tick.
 */
async function scheduledRuns() {
  const runs = await app.database.query(
    `select status, errors->0->>'code' as error, jsonb_array_length(errors) as errors,
       round((queued_at - lag(queued_at) over (order by id)) / 300.0)::int * 5 as minutes
     from sync_runs where trigger = 'schedule' order by id`,
  );
  return runs;
}

async function countChanges(): Promise<number> {
  const [row] = await app.database.query(
    "select count(*)::int as count from events where type = 'config.changed'",
  );
  return Number(row?.count);
}

/**
 * An hourly configuration whose last sync succeeded, and a way to let hours pass. A first tick comes
 * in the minute after a slot, so that what the test itself takes moves no run across another tick.
 */
async function hourlyConfig() {
  const id = await app.config({ syncIntervalMinutes: 60 });
  await sync(id);
  const { nextSyncAt } = await config(id);
  clock.forward(((nextSyncAt - clock.now()) % TICK) + MINUTE / 4);
  const { connection } = app.database;
  const allowedOrigins = [app.simulator.url];
  const options = { connection, orm: app.orm, clock, databaseClock, allowedOrigins };
  const replica = await startReplica(options);

  async function passHours(hours: number): Promise<void> {
    for (let passed = 0; passed < hours * HOUR; passed += TICK) {
      clock.forward(TICK);
      await replica.tick();

      const live = () => app.database.query("select from sync_runs where finished_at is null");
      await expect.poll(live, { interval: 5 }).toEqual([]);
    }
  }

  return { id, passHours };
}

describe.each<{ what: string; fault: Fault; error: string }>([
  { what: "answers 503", fault: httpStatus(503), error: "unavailable" },
  { what: "resets every connection", fault: { kind: "reset" }, error: "network" },
])("a provider that $what for hours", ({ fault, error }) => {
  it("is asked after ever longer waits, and the configuration says what is wrong", async () => {
    const { id, passHours } = await hourlyConfig();
    const { lastSuccessAt } = await config(id);
    const changes = await countChanges();
    app.simulator.control.addFaults({ fault });

    await passHours(3.5);

    const failure = { status: "failed", error, errors: 1 };
    expect(await scheduledRuns()).toEqual([
      { ...failure, minutes: null },
      { ...failure, minutes: 5 },
      { ...failure, minutes: 10 },
      { ...failure, minutes: 20 },
      // The next slot, and from then on each.
      { ...failure, minutes: 25 },
      { ...failure, minutes: 60 },
    ]);
    const state = await config(id);
    expect(state).toMatchObject({
      isStale: true,
      lastSuccessAt,
      schedulePausedReason: null,
      lastSync: { status: "failed", errors: [{ code: error }] },
    });
    expect(state.nextSyncAt - clock.now()).toBeLessThanOrEqual(HOUR);
    expect(await countChanges()).toBe(changes);
  });

  it("is synced every hour again after its return", async () => {
    const { id, passHours } = await hourlyConfig();
    const [rule = ""] = app.simulator.control.addFaults({ fault });
    await passHours(3.5);
    app.simulator.control.removeFault(rule);

    await passHours(3);

    const successes = (await scheduledRuns()).filter(({ status }) => status === "succeeded");
    expect(successes.map(({ minutes }) => minutes)).toEqual([60, 60, 60]);
    const state = await config(id);
    expect(state).toMatchObject({ isStale: false, lastSync: { status: "succeeded", gone: 0 } });
    expect(state.nextSyncAt - clock.now()).toBeLessThanOrEqual(HOUR + 6 * MINUTE);
  });
});
