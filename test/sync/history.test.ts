import { describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { cleanUp } from "../harness/clean-up.ts";
import { MISSING } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { useSync } from "./sync-fixture.ts";

const { app, clock, sync } = useSync({ hosts: 12, regions: ["hk"], projects: 1 });

async function idOf(ucloudId: string): Promise<string> {
  const [row] = await app.database.query("select id from hosts where ucloud_id = $1", [ucloudId]);
  return String(row?.id);
}

function firstHost(): string {
  return app.simulator.control.hosts()[0]?.id ?? "";
}

/** The entries of a host, newest first. */
async function historyOf(ucloudId: string, query = "") {
  const path = `/api/hosts/${await idOf(ucloudId)}/history${query}`;
  return (await assertOk(app.root.get(path))).data.entries;
}

async function changesOf(runId: string, query = "") {
  return (await assertOk(app.root.get(`/api/hosts/sync-runs/${runId}/changes${query}`))).data;
}

describe("the history of a host", () => {
  it("tells field by field what each run changed, and when it was gone and returned", async () => {
    const { control } = app.simulator;
    const configId = await app.config();
    const host = firstHost();
    const formerName = control.host(host)?.Name;
    const first = await sync(configId);
    clock.forward(60);
    control.updateHosts({ ids: [host] }, { Name: "改名", State: "Stopped" });
    const second = await sync(configId);
    clock.forward(60);
    control.removeHosts({ ids: [host] });
    const third = await sync(configId);
    clock.forward(60);
    control.restoreHosts();
    const fourth = await sync(configId);

    const entries = await historyOf(host);

    expect(entries).toMatchObject([
      { kind: "returned", runId: fourth.id, changes: [] },
      { kind: "gone", runId: third.id, changes: [] },
      { kind: "changed", runId: second.id, actor: null, remark: null },
      { kind: "created", runId: first.id, changes: [] },
    ]);
    expect(entries[2].changes).toEqual([
      { field: "name", from: formerName, to: "改名" },
      { field: "status", from: "Running", to: "Stopped" },
      { field: "providerStatus", from: "Running", to: "Stopped" },
    ]);
    expect(await historyOf(host, "?kind=gone")).toHaveLength(1);
  });

  it("tells that automatic renewal was switched, and nothing of when it became known", async () => {
    const { control } = app.simulator;
    const configId = await app.config();
    const host = firstHost();
    const say = async (AutoRenew: string | null) => {
      control.updateHosts({ ids: [host] }, { ChargeType: "Month", AutoRenew });
      await sync(configId);
      clock.forward(60);
      return (await app.root.get(`/api/hosts/${await idOf(host)}`)).data.autoRenew;
    };

    const read = [await say(null), await say("yes"), await say("NO"), await say(null)];

    expect(read).toEqual([null, true, false, null]);
    expect(await historyOf(host)).toMatchObject([
      { kind: "changed", changes: [{ field: "autoRenew", from: true, to: false }] },
      { kind: "created" },
    ]);
  });

  it("has what a refresh by id found, without a run", async () => {
    const configId = await app.config();
    const host = firstHost();
    await sync(configId);
    app.simulator.control.updateHosts({ ids: [host] }, { Name: "改名" });
    clock.forward(60);

    await assertOk(app.root.post(`/api/hosts/${await idOf(host)}/sync`));

    const [newest] = await historyOf(host);
    expect(newest).toMatchObject({ kind: "changed", runId: null });
  });

  it("has the release by a configuration that is deleted, and who took the host over", async () => {
    await app.config();
    const configId = await app.config({ name: "备用" });
    const host = firstHost();
    await sync(configId);
    clock.forward(60);
    await assertOk(app.root.delete(`/api/hosts/configs/${configId}`));
    clock.forward(60);
    const other = await app.config({ name: "接手" });
    await sync(other);

    expect(await historyOf(host)).toMatchObject([
      { kind: "returned", changes: [{ field: "configId", from: null, to: other }] },
      { kind: "gone", runId: null, changes: [{ field: "configId", from: configId, to: null }] },
      { kind: "created" },
    ]);
  });

  it("calls it moved when an active configuration takes over a host of one switched off", async () => {
    const configId = await app.config();
    const host = firstHost();
    await sync(configId);
    clock.forward(60);
    await assertOk(app.root.put(`/api/hosts/configs/${configId}`, { isActive: false }));
    const other = await app.config({ name: "接手" });
    await sync(other);

    const [newest] = await historyOf(host);
    expect(newest).toMatchObject({
      kind: "moved",
      changes: [{ field: "configId", from: configId, to: other }],
    });
  });

  it("tells a hand-over as an end and the start after it, within one second", async () => {
    const configId = await app.config();
    const host = firstHost();
    await sync(configId);
    const [from, to] = [await app.account("client"), await app.account("client")];
    const hostId = await idOf(host);
    await assertOk(app.root.post("/api/hosts/assign", { hostId, userId: from.id, days: 30 }));
    clock.forward(60);

    const handOver = { operation: "transfer", hostIds: [hostId], fromUserId: from.id };
    await assertOk(app.root.post("/api/hosts/batch", { ...handOver, userId: to.id }));

    const [former, next] = [from, to].map(({ username }) => expect.stringContaining(username));
    expect(await historyOf(host)).toMatchObject([
      { kind: "assigned", changes: [{ from: null, to: next }, {}] },
      { kind: "unassigned", changes: [{ from: former, to: null }] },
      { kind: "assigned", changes: [{ from: null, to: former }, {}] },
      { kind: "created" },
    ]);
  });

  it("ends an assignment after its start, also within one second", async () => {
    const configId = await app.config();
    const host = firstHost();
    await sync(configId);
    const client = await app.account("client");
    const assignment = { hostId: await idOf(host), userId: client.id };
    await assertOk(app.root.post("/api/hosts/assign", { ...assignment, days: 30 }));

    await assertOk(app.root.post("/api/hosts/unassign", assignment));

    expect(await historyOf(host)).toMatchObject([
      { kind: "unassigned" },
      { kind: "assigned" },
      { kind: "created" },
    ]);
  });

  it("begins for a client when the host was assigned, not at an earlier start", async () => {
    const configId = await app.config();
    const host = firstHost();
    await sync(configId);
    const client = await app.account("client");
    app.simulator.control.updateHosts({ ids: [host] }, { Name: "前一个用户的名称" });
    clock.forward(3_600);
    await sync(configId);
    clock.forward(3_600);
    const assignedAt = clock.now() - DAY_SECONDS;
    const assignment = { hostId: await idOf(host), userId: client.id, assignedAt, days: 30 };
    await assertOk(app.root.post("/api/hosts/assign", assignment));
    app.simulator.control.updateHosts({ ids: [host] }, { Name: "交付" });
    clock.forward(3_600);
    await sync(configId);

    const { data } = await assertOk(client.get(`/api/hosts/${await idOf(host)}/history`));

    expect(data.entries).toMatchObject([
      { kind: "changed", changes: [{ field: "name", to: "交付" }] },
      { kind: "assigned" },
    ]);
  });

  it("has nothing new after a run that found everything unchanged", async () => {
    const configId = await app.config();
    await sync(configId);
    clock.forward(60);

    const { id } = await sync(configId);

    expect((await changesOf(id)).pagination.total).toBe(0);
    const rows = await app.database.query("select count(*)::int as n from host_changes");
    expect(rows).toEqual([{ n: 12 }]);
  });

  it("is read page by page", async () => {
    const configId = await app.config();
    const host = firstHost();
    await sync(configId);
    clock.forward(60);
    app.simulator.control.updateHosts({ ids: [host] }, { Name: "改名" });
    await sync(configId);
    const [newest, oldest] = await historyOf(host);

    const first = await historyOf(host, "?limit=1");
    const second = await historyOf(host, "?limit=1&page=2");

    expect(first).toEqual([newest]);
    expect(second).toEqual([oldest]);
  });

  it("is kept 400 days", async () => {
    const configId = await app.config();
    await sync(configId);
    const removeOld = () => cleanUp(app, { clock });
    const left = () => app.database.query("select count(*)::int as n from host_changes");

    clock.forward(400 * DAY_SECONDS - 3_600);
    await removeOld();
    expect(await left()).toEqual([{ n: 12 }]);

    clock.forward(7_200);
    await removeOld();
    expect(await left()).toEqual([{ n: 0 }]);
    clock.rewind();
  });
});

describe("the changes of a run", () => {
  it("are those of its hosts, by kind, with a filter and pages", async () => {
    const { control } = app.simulator;
    const configId = await app.config();
    await sync(configId);
    const [renamed = "", gone = ""] = control.hosts().map(({ id }) => id);
    control.updateHosts({ ids: [renamed] }, { Name: "改名" });
    control.removeHosts({ ids: [gone] });
    clock.forward(60);

    const { id } = await sync(configId);

    const { changes, pagination } = await changesOf(id);
    expect(pagination.total).toBe(2);
    expect(changes).toMatchObject([
      { ucloudId: renamed, kind: "changed", name: "改名", hostId: await idOf(renamed) },
      { ucloudId: gone, kind: "gone", changes: [] },
    ]);
    expect((await changesOf(id, "?kind=gone")).changes).toHaveLength(1);
    const second = await changesOf(id, "?limit=1&page=2");
    expect(second.changes).toMatchObject([{ ucloudId: gone }]);
  });

  it("are found by the name and id of the host, and by values before and after", async () => {
    const { control } = app.simulator;
    const configId = await app.config();
    const [renamed = "", moved = "", gone = ""] = control.hosts().map(({ id }) => id);
    control.updateHosts({ ids: [renamed] }, { Name: "原来的名称" });
    control.updateHosts({ ids: [moved] }, { IPSet: [{ Type: "Private", IP: "10.250.6.6" }] });
    await sync(configId);
    control.updateHosts({ ids: [renamed] }, { Name: "Web_100%" });
    control.updateHosts({ ids: [moved] }, { IPSet: [{ Type: "Private", IP: "10.250.7.7" }] });
    control.removeHosts({ ids: [gone] });
    clock.forward(60);

    const { id } = await sync(configId);

    const found = async (search: string, query = "") => {
      const { changes } = await changesOf(id, `?search=${encodeURIComponent(search)}${query}`);
      return changes.map(({ ucloudId }: { ucloudId: string }) => ucloudId);
    };
    expect(await found("web_100%")).toEqual([renamed]);
    expect(await found("原来的名称")).toEqual([renamed]);
    expect(await found("10.250.7.7")).toEqual([moved]);
    expect(await found("10.250.6.6")).toEqual([moved]);
    expect(await found(gone.toUpperCase())).toEqual([gone]);
    expect(await found(gone, "&kind=changed")).toEqual([]);
    expect(await found("web_100__")).toEqual([]);
    expect(await found("providerStatus")).toEqual([]);
  });

  it("are not found for a run that does not exist", async () => {
    expect((await app.root.get(`/api/hosts/sync-runs/${MISSING}/changes`)).status).toBe(404);
  });
});
