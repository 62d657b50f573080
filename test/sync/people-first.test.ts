import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { SETTLE_JOB } from "../../src/server/modules/sync/settling/settling.ts";
import { useApp } from "../harness/app.ts";
import { assertOk } from "../harness/rest.ts";
import { within } from "../harness/time-limits.ts";
import { startReplica } from "./replica.ts";
import { LISTING, useSync } from "./sync-fixture.ts";

describe("while a run reads a thousand partitions", () => {
  /** What a run has under way at once; one more place is kept for people. */
  const CALLS_OF_RUN = 4;
  const LATENCY_MS = 100;
  /** All 33 regions, most of them closed to the account, in 31 projects: 1,023 partitions. */
  const app = useApp({ simulator: { hosts: 200, projects: 31, regions: ["cn-bj2", "hk"] } });

  const calls = () => app.simulator.control.calls();

  /**
   * A configuration whose run has begun to read a thousand partitions and waits for the provider,
   * and one of its hosts.
   */
  async function runThatReads() {
    const { root, simulator } = app;
    const { control } = simulator;
    const configId = await app.config({ projectIds: [control.projects()[0]?.id] });
    await assertOk(root.post(`/api/hosts/sync?configId=${configId}`));
    await assertOk(root.put(`/api/hosts/configs/${configId}`, { projectIds: [] }));
    const [host] = await app.database.query("select id, ucloud_id from hosts order by id limit 1");

    control.resetCalls();
    control.setLatency(LATENCY_MS);
    control.hold({ ...LISTING, times: CALLS_OF_RUN });
    const { data } = await assertOk(root.post(`/api/hosts/sync?configId=${configId}&wait=0`));
    const run = `/api/hosts/sync-runs/${data.runs[0].id}`;
    onTestFinished(async () => {
      await root.post(`${run}/cancel`);
      control.release();
    });
    await control.waitForHeld(CALLS_OF_RUN);

    return {
      configId,
      control,
      hostId: String(host?.id),
      ucloudId: String(host?.ucloud_id),
      statusOfRun: async () => (await assertOk(root.get(run))).data.status,
    };
  }

  it("a host that a person syncs is answered", async () => {
    const { hostId, statusOfRun } = await runThatReads();

    const { data } = await assertOk(app.root.post(`/api/hosts/${hostId}/sync`));

    expect(data).toMatchObject({ id: hostId, goneAt: null });
    expect(await statusOfRun()).toBe("running");
  });

  it("the test of the connection is answered", async () => {
    const { configId, statusOfRun } = await runThatReads();

    const { data } = await assertOk(app.root.post(`/api/hosts/configs/${configId}/test`));

    expect(data).toMatchObject({ connected: true });
    expect(await statusOfRun()).toBe("running");
  });

  it("the confirmation of held removals is answered", async () => {
    const { control, hostId, ucloudId, statusOfRun } = await runThatReads();
    control.removeHosts({ ids: [ucloudId] });
    const held = "missing_since = 1, held_reason = 'mass-removal'";
    await app.database.query(`update hosts set ${held} where id = $1`, [hostId]);

    const { data } = await assertOk(
      app.root.post("/api/hosts/held-removals/confirm", { hostIds: [hostId] }),
    );

    expect(data.results).toEqual([{ hostId, ok: true }]);
    expect(await statusOfRun()).toBe("running");
  });

  it("a person's batch over many partitions keeps no other person waiting", async () => {
    const { hostId, ucloudId } = await runThatReads();
    const others = await app.database.query(
      `update hosts set project_id = 'project-' || n
       from (select id, row_number() over (order by id) as n from hosts where id <> $1) as other
       where hosts.id = other.id returning hosts.id`,
      [hostId],
    );
    const hostIds = others.map(({ id }) => id);
    expect(hostIds.length).toBeGreaterThan(30);
    const before = calls().total;

    const batch = app.root.post("/api/hosts/batch", { operation: "sync", hostIds });
    await expect.poll(() => calls().total).toBeGreaterThan(before);
    await assertOk(app.root.post(`/api/hosts/${hostId}/sync`));

    const position = calls()
      .last.slice(before)
      .findIndex(({ ids }) => ids.includes(ucloudId));
    expect(position).toBeLessThan(20);
    await batch;
  });

  it("a host that is on its way to another state is asked for again", async () => {
    const { configId, control, hostId, ucloudId } = await runThatReads();
    control.updateHosts({ ids: [ucloudId] }, { State: "Rebooting" });
    await assertOk(app.root.post(`/api/hosts/${hostId}/sync`));
    const lookups = () => calls().last.filter(({ ids }) => ids.includes(ucloudId)).length;
    const before = lookups();

    await app.database.query(
      "update pgboss.job set start_after = now() where name = $1 and data->>'configId' = $2",
      [SETTLE_JOB, configId],
    );
    control.release();

    await expect.poll(lookups, { timeout: within(10_000) }).toBeGreaterThan(before);
    expect(calls().total).toBeLessThan(500);
  });
});

describe("while scheduled runs wait for the provider", () => {
  const HOUR = 3_600;
  const { app, clock, databaseClock, start, run, end } = useSync();

  beforeEach(() => clock.rewind());

  /** As many scheduled runs as two replicas have workers, and two more. */
  async function startScheduledRuns() {
    const { simulator, database, orm } = app;
    const { connection } = database;
    for (let n = 1; n <= 18; n++) await app.config({ syncIntervalMinutes: 15 });
    const replica = { connection, orm, clock, databaseClock, allowedOrigins: [simulator.url] };
    const { tick } = await startReplica(replica);
    simulator.control.hold({ publicKey: simulator.publicKey });
    onTestFinished(() => void simulator.control.release());
    clock.forward(HOUR);

    await tick();

    await expect.poll(async () => (await waiting()).length).toBeLessThanOrEqual(4);
  }

  /** Configurations whose run waits for a worker, the first one first. */
  async function waiting(): Promise<string[]> {
    const rows = await app.database.query(
      "select config_id from sync_runs where status = 'queued' order by id",
    );
    return rows.map(({ config_id }) => String(config_id));
  }

  it("one that a person starts is executed", async () => {
    await startScheduledRuns();
    const { sub, control } = app.simulator;
    const projectIds = [control.projects()[0]?.id];
    const other = await app.config({ ...sub, projectIds });

    const { status } = await end(await start(other));

    expect(status).toBe("partial");
  });

  it("one that waits is executed next when a person asks for its configuration", async () => {
    await startScheduledRuns();
    const last = (await waiting()).at(-1) ?? "";

    const id = await start(last);

    await expect.poll(() => run(id)).toMatchObject({ trigger: "schedule", status: "running" });
    expect(await waiting()).not.toEqual([]);
  });
});
