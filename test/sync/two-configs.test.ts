import { beforeEach, describe, expect, it } from "vitest";
import { LOST_RUNS_JOB, lostRunsJob } from "../../src/server/modules/sync/lost-runs-job.ts";
import { SETTLE_JOB } from "../../src/server/modules/sync/settling/settling.ts";
import { programActor } from "../../src/server/platform/actor.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import { createMetrics } from "../../src/server/platform/metrics.ts";
import { cleanUp } from "../harness/clean-up.ts";
import { buildRun } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import { firstDelivery } from "../harness/deliveries.ts";
import { assertOk } from "../harness/rest.ts";
import { silentLog } from "../harness/silent-log.ts";
import { startReplica } from "./replica.ts";
import { useSync } from "./sync-fixture.ts";

// A job that looks after all configurations may confuse them. So two are due in the same second:
// the first one has taken its hosts over from a third, and each must get what it would get alone.

const HOUR = 3_600;
const REFUSED = { region: null, projectId: null, code: "unauthorized", message: "密钥已失效" };
const { app, clock, databaseClock, sync, end } = useSync({
  hosts: 12,
  projects: 2,
  regions: ["hk"],
});

/** A configuration, and the provider's ids of the hosts that it lists. */
interface Account {
  readonly configId: string;
  readonly hosts: readonly string[];
}
let both: readonly [first: Account, second: Account];
/** The configuration that had the hosts of the first one. */
let former: string;

beforeEach(async () => {
  clock.rewind();
  await app.database.query("delete from pgboss.job where name = $1", [SETTLE_JOB]);
  const [one = "", other = ""] = app.simulator.control.projects().map(({ id }) => id);
  former = await app.config({ name: "原配置", projectIds: [one] });
  await sync(former);
  // Then its hosts are free for another.
  await assertOk(app.root.put(`/api/hosts/configs/${former}`, { isActive: false }));

  both = [await openAccount("第一", one), await openAccount("第二", other)];
  for (const { configId } of both) await sync(configId);
});

async function openAccount(name: string, projectId: string): Promise<Account> {
  const configId = await app.config({ name, projectIds: [projectId], syncIntervalMinutes: 60 });
  const ids = app.simulator.control.hosts({ projectId }).map(({ id }) => id);
  return { configId, hosts: ids };
}

describe("for two configurations at once", () => {
  it("the schedule starts a run of each, and each finds its own hosts", async () => {
    await app.database.query("update configs set schedule_chosen_at = $1", [clock.now()]);
    clock.forward(1.2 * HOUR);

    await tick();

    for (const { configId, hosts } of both) {
      const [id = ""] = await scheduledRuns(configId);
      expect(await end(id)).toMatchObject({ status: "succeeded", unchanged: hosts.length });
    }
    expect(await scheduledRuns(former)).toEqual([]);
  });

  it("the schedule of one is paused and the other goes on", async () => {
    const [paused, sound] = both;
    await app.database.query("update configs set schedule_chosen_at = $1", [clock.now()]);
    for (let count = 1; count <= 5; count++) {
      clock.forward(10 * HOUR);
      await insertScheduledRun(paused.configId, "failed");
      await insertScheduledRun(sound.configId, "succeeded");
    }
    clock.forward(10 * HOUR);

    await tick();

    expect(await scheduledRuns(paused.configId)).toHaveLength(5);
    expect(await scheduledRuns(sound.configId)).toHaveLength(6);
  });

  it("hosts that settle are asked for with the key of each", async () => {
    const { control } = app.simulator;
    const ids = both.map(({ hosts }) => hosts[0] ?? "");
    control.updateHosts({ ids }, { State: "Rebooting" });
    for (const { configId } of both) await sync(configId);
    control.updateHosts({ ids }, { State: "Running" });

    await app.database.query(
      "update pgboss.job set start_after = now() where name = $1 and state = 'created'",
      [SETTLE_JOB],
    );

    const unsettled = () => app.database.query("select from hosts where status = 'Rebooting'");
    await expect.poll(unsettled).toEqual([]);
  });

  it("hosts that are missing are gone from each", async () => {
    const ids = both.map(({ hosts }) => hosts[0] ?? "");
    app.simulator.control.removeHosts({ ids });

    const runs = await Promise.all(both.map(({ configId }) => sync(configId)));

    expect(runs).toMatchObject([
      { status: "succeeded", gone: 1 },
      { status: "succeeded", gone: 1 },
    ]);
  });

  it("runs that are lost are ended", async () => {
    const lost = both.map(({ configId }) =>
      buildRun(configId, { status: "queued", started_at: clock.now() }),
    );
    await insertRows(app.database, "sync_runs", lost);
    clock.forward(60);

    await endLostRuns();

    const ended = await app.database.query("select status from sync_runs where id = any($1)", [
      lost.map(({ id }) => id),
    ]);
    expect(ended).toEqual([{ status: "interrupted" }, { status: "interrupted" }]);
  });

  it("the clean-up keeps the last runs of each", async () => {
    await app.database.query("delete from sync_runs");
    const old = both.flatMap(({ configId }) =>
      Array.from({ length: 51 }, () =>
        buildRun(configId, { status: "failed", started_at: 1, finished_at: 1 }),
      ),
    );
    await insertRows(app.database, "sync_runs", old);

    await cleanUp(app, { clock });

    const kept = await app.database.query(
      "select config_id as id, count(*)::int as runs from sync_runs group by config_id order by 1",
    );
    expect(kept).toEqual(both.map(({ configId }) => ({ id: configId, runs: 50 })));
  });
});

/** The schedule looks once. */
async function tick(): Promise<void> {
  const { connection } = app.database;
  const allowedOrigins = [app.simulator.url];
  const replica = await startReplica({
    connection,
    orm: app.orm,
    clock,
    databaseClock,
    allowedOrigins,
  });
  await replica.tick();
}

async function insertScheduledRun(configId: string, status: "failed" | "succeeded") {
  const at = clock.now();
  const errors = status === "failed" ? [REFUSED] : [];
  const times = { queued_at: at, started_at: at, finished_at: at };
  const run = buildRun(configId, { ...times, trigger: "schedule", status, errors });
  await insertRows(app.database, "sync_runs", [run]);
}

async function scheduledRuns(configId: string): Promise<string[]> {
  const rows = await app.database.query(
    "select id from sync_runs where config_id = $1 and trigger = 'schedule'",
    [configId],
  );
  return rows.map(({ id }) => String(id));
}

async function endLostRuns(): Promise<void> {
  const actor = programActor("system", LOST_RUNS_JOB);
  const deps = { bus: createLocalBus(), metrics: createMetrics(), log: silentLog };
  const job = lostRunsJob({ ...deps, em: app.orm.em.fork(), actor, clock, databaseClock });
  await job.handle({}, firstDelivery());
}
