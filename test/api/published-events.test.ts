import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { StoredEvent } from "../../src/server/events/event.ts";
import { StreamEvent } from "../../src/shared/events.ts";
import { useApp } from "../harness/app.ts";
import { assign, DAY, decide, insertHost, requestRenewal, type Team, twoAdmins, unassign } from "../harness/data.ts";
import { listen } from "../harness/event-listeners.ts";

const app = useApp({ simulator: { hosts: 400, regions: 20, projects: 2 } });
const changed = { type: "hosts.changed", data: {} } as const;
const LATER = { from: DAY, to: 9 * DAY } as const;
let team: Team;
let hostId: string;

beforeEach(async () => {
  team = await twoAdmins(app);
  hostId = await insertHost(app);
});

const listenAll = () => listen(app, { root: app.root, ...team });
const named = () => ({ type: "assignment.changed", data: { hostId } });

describe("events of an assignment", () => {
  it("reach the super admin, the client and the client's admin only, for its start, its new period and its end", async () => {
    await assign(app, hostId, team.otherClient.id);
    const received = await listenAll();
    await assign(app, hostId, team.client.id);
    await assign(app, hostId, team.client.id, { to: 60 * DAY });
    await unassign(app, hostId, team.client.id);
    const { root, admin, client, ...others } = await received();
    for (const concerned of [root, admin, client]) {
      expect(concerned?.filter(({ type }) => type === named().type)).toEqual([named(), named(), named()]);
    }
    expect([admin?.[0], client?.[0]]).toEqual([changed, changed]);
    expect(others).toEqual({ otherAdmin: [], otherClient: [] });
  });

  it("do not name a host to a client before its assignment begins, and remove a postponed one from its list", async () => {
    const received = await listenAll();
    await assign(app, hostId, team.client.id, LATER);
    await unassign(app, hostId, team.client.id);
    const events = await received();
    expect(JSON.stringify(events.client)).not.toContain(hostId);
    expect(events.admin).toContainEqual(named());
    const next = await listenAll();
    await assign(app, hostId, team.client.id);
    expect((await next()).client).toContainEqual(named());
    const last = await listenAll();
    await assign(app, hostId, team.client.id, LATER);
    expect((await last()).client).toEqual([changed]);
  });
});

describe("events of a renewal request", () => {
  const extended = () => [changed, named()];
  const none = () => [];

  it.each([
    ["a request", () => requestRenewal(team.client, hostId), "created", "pending", none],
    ["a rejection", (id: string) => decide(app, id, "rejected"), "processed", "rejected", none],
    ["a completion", (id: string) => decide(app, id, "completed"), "processed", "completed", extended],
    ["a cancellation", (id: string) => team.client.delete(`/api/renewals/${id}`), "cancelled", "cancelled", none],
  ] as const)(
    "%s reaches the super admin, the client and the client's admin, and no other client of the host",
    async (what, act, type, status, before) => {
      for (const { id } of [team.client, team.otherClient]) await assign(app, hostId, id);
      const requested = what === "a request" ? "" : await requestRenewal(team.client, hostId);
      const received = await listenAll();
      await act(requested);
      const [row] = await app.database.query("select id from renewals");
      const expected = [...before(), { type: `renewal.${type}`, data: { id: row?.id, status } }];
      const { root, ...others } = await received();
      expect(others).toEqual({ admin: expected, client: expected, otherAdmin: [], otherClient: [] });
      expect(root?.map((event) => event.type)).toEqual(expected.map((event) => event.type));
    },
  );

  it.each([
    ["unassigning the host", () => unassign(app, hostId, team.client.id)],
    ["deleting the client", () => app.root.delete(`/api/users/${team.client.id}`)],
  ])("%s publishes the cancellation", async (_how, act) => {
    for (const { id } of [team.client, team.otherClient]) await assign(app, hostId, id);
    const id = await requestRenewal(team.client, hostId);
    const { otherAdmin, otherClient } = team;
    const received = await listen(app, { root: app.root, otherAdmin, otherClient });
    await act();
    const { root, ...others } = await received();
    expect(root).toContainEqual({ type: "renewal.cancelled", data: { id, status: "cancelled" } });
    expect(others).toEqual({ otherAdmin: [], otherClient: [] });
  });

  it("are none for a rejected call", async () => {
    await assign(app, hostId, team.client.id);
    const id = await requestRenewal(team.client, hostId);
    await decide(app, id, "rejected");
    const received = await listenAll();
    await decide(app, id, "completed");
    await team.client.delete(`/api/renewals/${id}`);
    expect(Object.values(await received()).flat()).toEqual([]);
  });
});

describe("a change of many hosts", () => {
  it.each([
    ["has begun", {}, [changed]],
    ["begins later", LATER, []],
  ])(
    "by deleting a configuration reaches the client whose assignment %s, and names the configuration to the super admin only",
    async (_when, period, ofClient) => {
      await app.config();
      const configId = await app.config();
      await app.database.query("update hosts set config_id = $1", [configId]);
      await assign(app, hostId, team.client.id, period);
      const received = await listenAll();
      await app.root.delete(`/api/hosts/configs/${configId}`);
      const root = [{ type: "hosts.changed", data: { configId } }];
      expect(await received()).toEqual({ root, admin: [changed], client: ofClient, otherAdmin: [], otherClient: [] });
    },
  );

  it.each(["another admin", "no admin"])(
    "by moving a client to %s reaches the client and both sides, once",
    async (to) => {
      await assign(app, hostId, team.client.id);
      await assign(app, hostId, (await app.account("client")).id);
      const received = await listenAll();
      const isMoved = to === "another admin";
      await app.root.put(`/api/users/${team.client.id}`, { adminId: isMoved ? team.otherAdmin.id : null });
      expect(await received()).toEqual({
        root: [changed],
        admin: [changed],
        client: [changed],
        otherAdmin: isMoved ? [changed] : [],
        otherClient: [],
      });
    },
  );

  it("is not published when the admin stays the same or the moved client has no hosts", async () => {
    await assign(app, hostId, team.client.id);
    const received = await listenAll();
    for (const { id } of [team.client, team.otherClient]) {
      await app.root.put(`/api/users/${id}`, { adminId: team.admin.id, name: "改名" });
    }
    expect(Object.values(await received()).flat()).toEqual([]);
  });

  it("by deleting a client names all its hosts, and reaches the super admin and the client's admin, live and replayed", async () => {
    const hostIds = [hostId, await insertHost(app), await insertHost(app)];
    for (const each of hostIds) await assign(app, each, team.client.id);
    await assign(app, hostId, team.otherClient.id);
    const [newest] = await app.database.query("select max(id) as id from events");
    const { client, ...others } = team;
    const accounts = { root: app.root, ...others };
    const received = await listen(app, accounts);
    await app.root.delete(`/api/users/${client.id}`);
    expect(await received()).toEqual({ root: [changed], admin: [changed], otherAdmin: [], otherClient: [] });
    const [stored, ...more] = await app.database.query(
      "select payload->'hostIds' as ids from events where type = 'hosts.changed' and id > $1",
      [newest?.id],
    );
    expect([new Set([stored?.ids].flat()), more]).toEqual([new Set(hostIds), []]);
    const later = await listen(app, accounts, String(newest?.id));
    expect((await later()).admin?.[0]).toEqual(changed);
  });
});

describe("the system settings", () => {
  const settings = { show_network_info_to_client: true };

  it("are returned unwrapped, kept by an empty change, and published when the super admin changes them", async () => {
    for (const changes of [settings, {}]) {
      expect((await app.root.put("/api/system-config", changes)).body).toEqual(settings);
      expect((await app.root.get("/api/system-config")).body).toEqual(settings);
    }
    const [event] = await app.database.query("select payload from events where type = 'settings.changed'");
    expect(event).toEqual({ payload: settings });
  });

  it("are readable as events from a replica with more settings and from one with fewer", () => {
    const newer = { type: "settings.changed", data: { ...settings, of_tomorrow: 1 } };
    expect([StoredEvent.parse(newer).data, StreamEvent.parse(newer).data]).toEqual([settings, settings]);
    expect(StoredEvent.parse({ type: "settings.changed", data: {} }).data).toEqual({});
  });
});

describe("progress of a sync run", () => {
  async function countProgress(): Promise<number> {
    const [row] = await app.database.query("select count(*)::int as count from events where type = 'sync.progress'");
    return Number(row?.count);
  }

  it("is published at least every two seconds by a run that makes none", async () => {
    const { control } = app.simulator;
    await app.config();
    control.hold({ action: "DescribeUHostInstance", times: 1_000 });
    const { data } = await app.root.post("/api/hosts/sync?wait=0");
    await control.waitForHeld();
    await sleep(600);
    const before = await countProgress();
    await sleep(4_200);
    expect((await countProgress()) - before).toBeGreaterThanOrEqual(2);
    await app.root.post(`/api/hosts/sync-runs/${data.runs[0].id}/cancel`);
  });

  it("is published at most four times a second by a run that makes it all the time", async () => {
    await app.config();
    app.simulator.control.setLatency(250);
    const started = performance.now();
    const { data } = await app.root.post("/api/hosts/sync?wait=25");
    const seconds = (performance.now() - started) / 1000;
    expect(data.runs[0].status).toBe("succeeded");
    expect(seconds).toBeGreaterThan(1.5);
    const count = await countProgress();
    expect(count).toBeGreaterThan(1);
    expect(count / seconds).toBeLessThanOrEqual(4);
  });
});
