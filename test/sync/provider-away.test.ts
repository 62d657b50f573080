import { beforeEach, describe, expect, it } from "vitest";
import type { Fault } from "../../src/simulator/faults.ts";
import { httpStatus } from "../harness/provider-faults.ts";
import { assertOk } from "../harness/rest.ts";
import { startReplica } from "./replica.ts";
import { useSync } from "./sync-fixture.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const TICK = 10 * MINUTE;

const { app, clock, databaseClock, sync } = useSync({ hosts: 6, regions: ["hk"] });

beforeEach(() => clock.rewind());

async function config(id: string) {
  const { data } = await assertOk(app.root.get("/api/hosts/configs/list"));
  return data.find((each: { id: string }) => each.id === id);
}

/** Scheduled runs, the oldest first, and the hours between each and the one before. */
async function scheduledRuns() {
  const runs = await app.database.query(
    `select status, errors->0->>'code' as error, jsonb_array_length(errors) as errors,
       round((queued_at - lag(queued_at) over (order by id)) / 3600.0)::int as hours
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

/** An hourly configuration whose last sync succeeded, and a way to let hours pass. */
async function hourlyConfig() {
  const id = await app.config({ syncIntervalMinutes: 60 });
  await sync(id);
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
])("a provider that $what for a day", ({ fault, error }) => {
  it("is asked ever less often, and the configuration says what is wrong", async () => {
    const { id, passHours } = await hourlyConfig();
    const { lastSuccessAt } = await config(id);
    const changes = await countChanges();
    app.simulator.control.addFaults({ fault });

    await passHours(24);

    const failure = { status: "failed", error, errors: 1 };
    expect(await scheduledRuns()).toEqual([
      { ...failure, hours: null },
      { ...failure, hours: 2 },
      { ...failure, hours: 4 },
      { ...failure, hours: 6 },
      { ...failure, hours: 6 },
    ]);
    const state = await config(id);
    expect(state).toMatchObject({
      isStale: true,
      lastSuccessAt,
      schedulePausedReason: null,
      lastSync: { status: "failed", errors: [{ code: error }] },
    });
    expect(state.nextSyncAt - clock.now()).toBeLessThanOrEqual(6 * HOUR);
    expect(await countChanges()).toBe(changes);
  });

  it("is synced every hour again after its return", async () => {
    const { id, passHours } = await hourlyConfig();
    const [rule = ""] = app.simulator.control.addFaults({ fault });
    await passHours(24);
    app.simulator.control.removeFault(rule);

    await passHours(3);

    const [first, second] = (await scheduledRuns()).slice(5);
    expect(first).toMatchObject({ status: "succeeded", hours: 6 });
    expect(second).toMatchObject({ status: "succeeded", hours: 1 });
    const state = await config(id);
    expect(state).toMatchObject({ isStale: false, lastSync: { status: "succeeded", gone: 0 } });
    expect(state.nextSyncAt - clock.now()).toBeLessThanOrEqual(HOUR + 6 * MINUTE);
  });
});
