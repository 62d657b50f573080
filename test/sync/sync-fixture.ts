import { beforeEach, expect } from "vitest";
import type { ClientLimits } from "../../src/server/provider/client.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import type { SimulatorOptions } from "../../src/simulator/options.ts";
import { useApp } from "../harness/app.ts";
import { movableClock } from "../harness/clocks.ts";
import { setField } from "../harness/provider-faults.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { within } from "../harness/time-limits.ts";

const CALL = { action: "DescribeUHostInstance" } as const;
/** The calls that read a partition, and those that request hosts by id. */
export const LISTING = { ...CALL, byId: false } as const;
export const LOOKUP = { ...CALL, byId: true } as const;

/** A server whose clock a test moves, and a simulator that lists only the named regions. */
export function useSync(more: SimulatorOptions = {}, limits: Partial<ClientLimits> = {}) {
  const simulator: SimulatorOptions = {
    hosts: 60,
    projects: 1,
    regions: ["cn-bj2", "hk"],
    ...more,
  };
  const clock = movableClock();
  const providerLimits = { retryBaseMs: 2, attemptTimeoutMs: 6_000, ...limits };
  // A test that moves the clock by days stays signed in.
  const config = { session: { ttl: 30 * DAY_SECONDS, idle: 30 * DAY_SECONDS } };
  const databaseClock = { now: async () => clock.now() };
  const app = useApp({ simulator, config, overrides: { clock, databaseClock, providerLimits } });

  beforeEach(async () => {
    // Executors of earlier runs notice that these are gone.
    const active = () => app.database.query("select from pgboss.job where state = 'active'");
    await expect.poll(active).toEqual([]);
    app.simulator.control.resetCalls();
    if (!Array.isArray(simulator.regions)) return;
    // Saves two dozen refused calls in each run.
    const rows = simulator.regions.map((Region) => ({ Region, Zone: `${Region}-01` }));
    app.simulator.control.addFaults({ action: "GetRegion", fault: setField("Regions", rows) });
  });

  /** Starts a run, or finds the live one, and returns its id. */
  async function start(configId: string, root: RestClient = app.root): Promise<string> {
    const { data } = await assertOk(root.post(`/api/hosts/sync?configId=${configId}&wait=0`));
    return data.runs[0].id;
  }

  async function run(id: string): Promise<SyncRun> {
    return (await assertOk(app.root.get(`/api/hosts/sync-runs/${id}`))).data;
  }

  /** Waits for a run's end. */
  async function end(id: string): Promise<SyncRun> {
    const ended = { finishedAt: expect.any(Number) };
    await expect.poll(() => run(id), { timeout: within(15_000) }).toMatchObject(ended);
    return await run(id);
  }

  async function ids(condition: string): Promise<string[]> {
    const rows = await app.database.query(
      `select ucloud_id as id from hosts where ${condition} order by 1`,
    );
    return rows.map(({ id }) => String(id));
  }

  return {
    app,
    clock,
    databaseClock,
    start,
    run,
    end,
    /** A run from start to end. */
    sync: async (configId: string) => end(await start(configId)),
    /** The provider's ids of hosts that are not gone. */
    present: () => ids("gone_at is null"),
    gone: () => ids("gone_at is not null"),
    held: () => ids("missing_since is not null or held_reason is not null"),
  };
}
