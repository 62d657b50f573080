import { afterEach, describe, expect, it } from "vitest";
import { useSync } from "./sync-fixture.ts";

/** A hardware clock that keeps local time, read as UTC. */
const AHEAD = 8 * 3_600 + 137;

describe("a clock that was ahead and was set back", () => {
  const { app, clock, sync, gone, held } = useSync({ hosts: 60, projects: 1 });

  afterEach(() => clock.rewind());

  /** What ran while the clock was ahead. */
  async function ahead<Result>(act: () => Promise<Result>): Promise<Result> {
    clock.forward(AHEAD);
    const result = await act();
    clock.forward(-AHEAD);
    return result;
  }

  async function idOf(ucloudId: string): Promise<string> {
    const [row] = await app.database.query("select id from hosts where ucloud_id = $1", [ucloudId]);
    return String(row?.id);
  }

  async function statuses(): Promise<unknown[]> {
    const rows = await app.database.query(
      "select distinct status from hosts where gone_at is null",
    );
    return rows.map(({ status }) => status);
  }

  it("does not keep later runs from writing and removing hosts", async () => {
    const configId = await app.config();
    await ahead(() => sync(configId));
    const removed = app.simulator.control.removeHosts({ region: "cn-bj2", count: 3 });
    app.simulator.control.updateHosts({}, { State: "Stopped" });

    const run = await sync(configId);

    expect(run).toMatchObject({ status: "succeeded", hostsSeen: 57, gone: 3 });
    expect(await gone()).toEqual(removed.toSorted());
    expect(await statuses()).toEqual(["Stopped"]);
  });

  it("leaves a true time with hosts that did not change", async () => {
    const configId = await app.config();
    await ahead(() => sync(configId));

    await sync(configId);

    const late = await app.database.query("select 1 from hosts where changed_at > $1", [
      clock.now(),
    ]);
    expect(late).toEqual([]);
  });

  it("does not keep a refresh from writing a host with its true time", async () => {
    const configId = await app.config();
    await ahead(() => sync(configId));
    const [{ id: ucloudId } = { id: "" }] = app.simulator.control.hosts();
    app.simulator.control.updateHosts({ ids: [ucloudId] }, { State: "Stopped" });

    const { data } = await app.root.post(`/api/hosts/${await idOf(ucloudId)}/sync`);

    expect(data.status).toBe("Stopped");
    expect(data.syncedAt).toBeLessThanOrEqual(clock.now());
  });

  it("does not keep a host gone that was marked while it was ahead", async () => {
    const configId = await app.config();
    await sync(configId);
    app.simulator.control.removeHosts({ region: "cn-bj2", count: 3 });
    await ahead(() => sync(configId));
    app.simulator.control.restoreHosts();

    const run = await sync(configId);

    expect(run).toMatchObject({ status: "succeeded", updated: 3 });
    expect(await gone()).toEqual([]);
  });

  it("does not hold hosts for removals of a time that has not come", async () => {
    const configId = await app.config();
    await sync(configId);
    app.simulator.control.removeHosts({ region: "cn-bj2", count: 15 });
    await ahead(() => sync(configId));
    app.simulator.control.removeHosts({ region: "hk", count: 6 });

    expect(await sync(configId)).toMatchObject({ status: "succeeded", gone: 6 });
  });

  it("lets a hold that began while it was ahead begin anew", async () => {
    const configId = await app.config();
    await sync(configId);
    const removed = app.simulator.control.removeHosts({ region: "hk" });
    await ahead(() => sync(configId));
    expect(await held()).toEqual(removed.toSorted());

    const { startedAt } = await sync(configId);

    const [hold] = await app.database.query(
      "select min(missing_since)::int as first, max(missing_since)::int as last from hosts",
    );
    expect(hold?.first).toBeGreaterThanOrEqual(startedAt);
    expect(hold?.last).toBeLessThanOrEqual(clock.now());
  });
});
