import { beforeEach, describe, expect, it } from "vitest";
import { SETTLE_JOB } from "../../src/server/modules/sync/settling/settling.ts";
import { assertOk } from "../harness/rest.ts";
import { useSync } from "./sync-fixture.ts";

const { app, sync } = useSync({ hosts: 6, regions: ["hk"], projects: 1 });

/** Jobs outlive the tables that are emptied between tests. */
beforeEach(async () => {
  await app.database.query("delete from pgboss.job where name = $1", [SETTLE_JOB]);
});

interface Round {
  readonly round: string;
  /** Seconds from when it was enqueued. */
  readonly wait: number;
}

async function waitingRounds(): Promise<Round[]> {
  const rows = await app.database.query(
    `select data->>'round' as round, extract(epoch from start_after - created_on)::int as wait
     from pgboss.job where name = $1 and state = 'created' order by 1`,
    [SETTLE_JOB],
  );
  return rows.map(({ round, wait }) => ({ round: String(round), wait: Number(wait) }));
}

/** Lets the waiting rounds begin now, and waits for their end. */
async function passWait(): Promise<void> {
  await app.database.query(
    "update pgboss.job set start_after = now() where name = $1 and state = 'created'",
    [SETTLE_JOB],
  );
  const unfinished = () =>
    app.database.query(
      "select from pgboss.job where name = $1 and state < 'completed' and start_after <= now()",
      [SETTLE_JOB],
    );
  await expect.poll(unfinished).toEqual([]);
}

async function statusOf(ucloudId: string): Promise<unknown> {
  const [row] = await app.database.query("select status, gone_at from hosts where ucloud_id = $1", [
    ucloudId,
  ]);
  return row;
}

/** A configuration with one host that is on its way to this state. */
async function rebootingHost(state = "Rebooting") {
  const { control } = app.simulator;
  const configId = await app.config();
  const ucloudId = control.hosts()[0]?.id ?? "";
  control.updateHosts({ ids: [ucloudId] }, { State: state });
  await sync(configId);
  return { configId, ucloudId, control };
}

describe("a host that is on its way to another state", () => {
  it.each(["Starting", "Stopping", "Rebooting"])(
    "is asked for again when it is %s",
    async (state) => {
      const { ucloudId, control } = await rebootingHost(state);
      expect(await waitingRounds()).toEqual([{ round: "0", wait: 15 }]);

      control.updateHosts({ ids: [ucloudId] }, { State: "Running" });
      await passWait();

      expect(await statusOf(ucloudId)).toEqual({ status: "Running", gone_at: null });
      expect(await waitingRounds()).toEqual([]);
    },
  );

  it.each(["a round of settling", "a refresh"])(
    "is written with its automatic renewal by %s",
    async (how) => {
      const { ucloudId, control } = await rebootingHost();
      const [row] = await app.database.query("select id from hosts where ucloud_id = $1", [
        ucloudId,
      ]);
      control.updateHosts({ ids: [ucloudId] }, { ChargeType: "Year", AutoRenew: "yes" });

      if (how === "a refresh") await assertOk(app.root.post(`/api/hosts/${row?.id}/sync`));
      else await passWait();

      const { data } = await assertOk(app.root.get(`/api/hosts/${row?.id}`));
      expect(data.autoRenew).toBe(true);
    },
  );

  it("is dated by the round that finds its next status", async () => {
    const { ucloudId, control } = await rebootingHost();
    await app.database.query("update hosts set status_since = 1");
    control.updateHosts({ ids: [ucloudId] }, { State: "Running" });

    await passWait();

    const [row] = await app.database.query(
      "select status_since = changed_at as is_dated from hosts where ucloud_id = $1",
      [ucloudId],
    );
    expect(row).toEqual({ is_dated: true });
  });

  it("is asked for ever less often, and then left to the next sync", async () => {
    await rebootingHost();

    const rounds: Round[] = [];
    for (let waiting = await waitingRounds(); waiting.length > 0; waiting = await waitingRounds()) {
      rounds.push(...waiting);
      await passWait();
    }

    expect(rounds.map(({ round }) => round)).toEqual(["0", "1", "2", "3", "4"]);
    expect(rounds.map(({ wait }) => wait)).toEqual([15, 30, 60, 120, 300]);
  });

  it("is asked for again when the next sync finds it as it was", async () => {
    const { configId } = await rebootingHost();
    await app.database.query("delete from pgboss.job where name = $1", [SETTLE_JOB]);

    expect(await sync(configId)).toMatchObject({ updated: 0, unchanged: 6 });

    expect(await waitingRounds()).toEqual([{ round: "0", wait: 15 }]);
  });

  it("gets its turn beside a hundred others that never settle", async () => {
    const { control } = app.simulator;
    control.addHosts({ count: 244, region: "hk" });
    const configId = await app.config();
    control.updateHosts({}, { State: "Rebooting" });
    await sync(configId);
    control.resetCalls();

    for (let round = 1; round <= 3; round++) await passWait();

    const lookups = control.calls().last.map(({ ids }) => ids);
    expect(lookups.map(({ length }) => length)).toEqual([100, 100, 100]);
    const hosts = control.hosts().map(({ id }) => id);
    expect(lookups.flat().slice(0, 250).toSorted()).toEqual(hosts.toSorted());
    expect(lookups.flat().slice(250)).toEqual(lookups[0]?.slice(0, 50));
  });

  it("is not marked gone when it is not found", async () => {
    const { ucloudId, control } = await rebootingHost();
    control.removeHosts({ ids: [ucloudId] });

    await passWait();

    expect(await statusOf(ucloudId)).toEqual({ status: "Rebooting", gone_at: null });
  });

  it("is left alone once its configuration is switched off", async () => {
    const { configId, ucloudId, control } = await rebootingHost();
    control.updateHosts({ ids: [ucloudId] }, { State: "Running" });
    await assertOk(app.root.put(`/api/hosts/configs/${configId}`, { isActive: false }));

    await passWait();

    expect(await statusOf(ucloudId)).toEqual({ status: "Rebooting", gone_at: null });
    expect(await waitingRounds()).toEqual([]);
  });

  it("is asked for again when a refresh finds it so", async () => {
    const { control } = app.simulator;
    await sync(await app.config());
    const ucloudId = control.hosts()[0]?.id ?? "";
    const [row] = await app.database.query("select id from hosts where ucloud_id = $1", [ucloudId]);
    control.updateHosts({ ids: [ucloudId] }, { State: "Rebooting" });

    await assertOk(app.root.post(`/api/hosts/${row?.id}/sync`));

    expect(await waitingRounds()).toEqual([{ round: "0", wait: 15 }]);
  });

  it("shares its rounds with fifty others", async () => {
    const { control } = app.simulator;
    control.addHosts({ count: 50, region: "hk" });
    const configId = await app.config();
    const ids = control.hosts().map(({ id }) => id);
    control.updateHosts({ ids }, { State: "Rebooting" });
    await sync(configId);
    expect(await waitingRounds()).toHaveLength(1);

    control.updateHosts({ ids }, { State: "Running" });
    await passWait();

    const unsettled = await app.database.query("select from hosts where status <> 'Running'");
    expect(unsettled).toEqual([]);
  });

  it("is asked for in a later round when a round is full", async () => {
    const { control } = app.simulator;
    control.addHosts({ count: 120, region: "hk" });
    const configId = await app.config();
    const ids = control.hosts().map(({ id }) => id);
    control.updateHosts({ ids }, { State: "Rebooting" });
    await sync(configId);
    control.updateHosts({ ids }, { State: "Running" });

    await passWait();
    expect(await waitingRounds()).toMatchObject([{ round: "1" }]);
    await passWait();

    const unsettled = await app.database.query("select from hosts where status <> 'Running'");
    expect(unsettled).toEqual([]);
    expect(await waitingRounds()).toEqual([]);
  });
});
