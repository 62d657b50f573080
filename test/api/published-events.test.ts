import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { StoredEvent } from "../../src/server/events/event.ts";
import { StreamEvent } from "../../src/shared/events.ts";
import { useApp } from "../harness/app.ts";
import {
  assign,
  DAY,
  decide,
  insertHost,
  insertHosts,
  requestRenewal,
  type Team,
  twoAdmins,
  unassign,
} from "../harness/data.ts";
import { listen } from "../harness/event-listeners.ts";

const app = useApp();
const changed = { type: "hosts.changed", data: {} } as const;
const LATER = { from: DAY, to: 9 * DAY } as const;
const NOBODY = { root: [], admin: [], client: [], otherAdmin: [], otherClient: [] };
let team: Team;
let hostId: string;

beforeEach(async () => {
  team = await twoAdmins(app);
  hostId = await insertHost(app);
});

/** What the super admin and both teams receive while it acts. */
async function eventsOf(act: () => Promise<unknown>): Promise<Record<string, StreamEvent[]>> {
  const received = await listen(app, { root: app.root, ...team });
  await act();
  return await received();
}

const named = () => ({ type: "assignment.changed", data: { hostId } });
const assignTo = (client: { readonly id: string }, period = {}) => assign(app, hostId, client.id, period);
const end = () => unassign(app, hostId, team.client.id);
const update = ({ id }: { readonly id: string }, changes: object) => app.root.put(`/api/users/${id}`, changes);

describe("events of an assignment", () => {
  it("reach the super admin, the client and the client's admin only, for its start, its new period and its end", async () => {
    await assignTo(team.otherClient);
    const { root, admin, client, ...others } = await eventsOf(async () => {
      await assignTo(team.client);
      await assignTo(team.client, { to: 60 * DAY });
      await end();
    });
    for (const concerned of [root, admin, client]) {
      expect(concerned?.filter(({ type }) => type === named().type)).toEqual([named(), named(), named()]);
    }
    expect([admin?.[0], client?.[0]]).toEqual([changed, changed]);
    expect(others).toEqual({ otherAdmin: [], otherClient: [] });
  });

  it("do not name a host to a client before its assignment begins, and remove a postponed one from its list", async () => {
    const early = await eventsOf(async () => {
      await assignTo(team.client, LATER);
      await end();
    });
    expect(JSON.stringify(early.client)).not.toContain(hostId);
    expect(early.admin).toContainEqual(named());
    const begun = await eventsOf(() => assignTo(team.client));
    expect(begun.client).toContainEqual(named());
    const postponed = await eventsOf(() => assignTo(team.client, LATER));
    expect(postponed.client).toEqual([changed]);
  });
});

describe("events of a renewal request", () => {
  const extended = () => [changed, named()];
  const none = () => [];

  beforeEach(async () => {
    for (const client of [team.client, team.otherClient]) await assignTo(client);
  });

  it.each([
    ["a request", () => requestRenewal(team.client, hostId), "created", "pending", none],
    ["a rejection", (id: string) => decide(app, id, "rejected"), "processed", "rejected", none],
    ["a completion", (id: string) => decide(app, id, "completed"), "processed", "completed", extended],
    ["a cancellation", (id: string) => team.client.delete(`/api/renewals/${id}`), "cancelled", "cancelled", none],
  ] as const)(
    "%s reaches the super admin, the client and the client's admin, and no other client of the host",
    async (what, act, type, status, before) => {
      const requested = what === "a request" ? "" : await requestRenewal(team.client, hostId);
      const { root, ...others } = await eventsOf(() => act(requested));
      const [row] = await app.database.query("select id from renewals");
      const expected = [...before(), { type: `renewal.${type}`, data: { id: row?.id, status } }];
      expect(others).toEqual({ admin: expected, client: expected, otherAdmin: [], otherClient: [] });
      expect(root?.map((event) => event.type)).toEqual(expected.map((event) => event.type));
    },
  );

  it.each([
    ["unassigning the host", end],
    ["deleting the client", () => app.root.delete(`/api/users/${team.client.id}`)],
  ])("%s publishes the cancellation", async (_how, act) => {
    const id = await requestRenewal(team.client, hostId);
    const { otherAdmin, otherClient } = team;
    const received = await listen(app, { root: app.root, otherAdmin, otherClient });
    await act();
    const { root, ...others } = await received();
    expect(root).toContainEqual({ type: "renewal.cancelled", data: { id, status: "cancelled" } });
    expect(others).toEqual({ otherAdmin: [], otherClient: [] });
  });

  it("are none for a rejected call", async () => {
    const id = await requestRenewal(team.client, hostId);
    await decide(app, id, "rejected");
    const events = await eventsOf(async () => {
      await decide(app, id, "completed");
      await team.client.delete(`/api/renewals/${id}`);
    });
    expect(events).toEqual(NOBODY);
  });
});

describe("a change of many hosts", () => {
  it.each([
    ["has begun", {}, [changed]],
    ["begins later", LATER, []],
  ])(
    "by deleting a configuration reaches the client whose assignment %s, and names the configuration to the super admin only",
    async (_when, period, client) => {
      await app.config();
      const configId = await app.config();
      await app.database.query("update hosts set config_id = $1", [configId]);
      await assignTo(team.client, period);
      const events = await eventsOf(() => app.root.delete(`/api/hosts/configs/${configId}`));
      const root = [{ type: "hosts.changed", data: { configId } }];
      expect(events).toEqual({ ...NOBODY, root, admin: [changed], client });
    },
  );

  it.each([
    ["another admin", () => team.otherAdmin.id, [changed]],
    ["no admin", () => null, []],
  ])("by moving a client to %s reaches the client and both sides, once", async (_to, adminId, otherAdmin) => {
    await assignTo(team.client);
    await assignTo(await app.account("client"));
    const events = await eventsOf(() => update(team.client, { adminId: adminId() }));
    expect(events).toEqual({ ...NOBODY, root: [changed], admin: [changed], client: [changed], otherAdmin });
  });

  it("is not published when the admin stays the same or the moved client has no hosts", async () => {
    await assignTo(team.client);
    const events = await eventsOf(async () => {
      for (const each of [team.client, team.otherClient]) await update(each, { adminId: team.admin.id, name: "改名" });
    });
    expect(events).toEqual(NOBODY);
  });

  it("by deleting a client names all its hosts, and reaches the super admin and the client's admin, live and replayed", async () => {
    const hostIds = [hostId, ...(await insertHosts(app, [{}, {}]))];
    for (const each of hostIds) await assign(app, each, team.client.id);
    await assignTo(team.otherClient);
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

it("progress of a sync run is published at least every two seconds and at most four times a second, even when it makes none", async () => {
  const countProgress = async () => {
    const [row] = await app.database.query("select count(*)::int as count from events where type = 'sync.progress'");
    return Number(row?.count);
  };
  const { control } = app.simulator;
  await app.config();
  control.hold({ action: "DescribeUHostInstance", times: 1_000 });
  const { data } = await app.root.post("/api/hosts/sync?wait=0");
  await control.waitForHeld();
  await sleep(600);
  const [before, started] = [await countProgress(), performance.now()];
  await sleep(4_200);
  const published = (await countProgress()) - before;
  expect(published).toBeGreaterThanOrEqual(2);
  expect(published).toBeLessThanOrEqual(((performance.now() - started) / 1000) * 4);
  await app.root.post(`/api/hosts/sync-runs/${data.runs[0].id}/cancel`);
});
