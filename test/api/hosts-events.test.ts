import { beforeEach, describe, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, insertHost } from "../harness/data.ts";
import { listen } from "../harness/event-listeners.ts";

const app = useApp();
const changed = { type: "hosts.changed", data: {} } as const;
const LATER = { from: DAY, to: 9 * DAY } as const;
let admin: Account;
let otherAdmin: Account;
let client: Account;
let otherClient: Account;
let hostId: string;

beforeEach(async () => {
  admin = await app.account("admin");
  otherAdmin = await app.account("admin");
  client = await app.account("client", { adminId: admin.id });
  otherClient = await app.account("client", { adminId: otherAdmin.id });
  hostId = await insertHost(app);
});

const listenAll = () => listen(app, { root: app.root, admin, client, otherAdmin, otherClient });
const unassign = () => app.root.post("/api/hosts/unassign", { hostId, userId: client.id });

describe("events of an assignment", () => {
  it("reach the super admin, the client and the client's admin only, for its start, its new period and its end", async () => {
    await assign(app, hostId, otherClient.id);
    const received = await listenAll();
    await assign(app, hostId, client.id);
    await assign(app, hostId, client.id, { to: 60 * DAY });
    await unassign();
    const events = await received();
    const named = { type: "assignment.changed", data: { hostId } };
    expect(events.root?.filter(({ type }) => type === named.type)).toHaveLength(3);
    for (const concerned of [events.admin, events.client]) {
      expect(concerned?.[0]).toEqual(changed);
      expect(concerned?.filter(({ type }) => type === named.type)).toEqual([named, named, named]);
    }
    expect([events.otherAdmin, events.otherClient]).toEqual([[], []]);
  });

  it("do not name a host to a client whose assignment begins later or ended before it began", async () => {
    const received = await listenAll();
    await assign(app, hostId, client.id, LATER);
    await unassign();
    const events = await received();
    expect(JSON.stringify(events.client)).not.toContain(hostId);
    expect(events.admin).toContainEqual({ type: "assignment.changed", data: { hostId } });
  });

  it("remove a host from a client's list when the start is postponed, without naming it", async () => {
    await assign(app, hostId, client.id);
    const received = await listenAll();
    await assign(app, hostId, client.id, LATER);
    expect((await received()).client).toEqual([changed]);
  });

  it("name the host to a client whose earlier assignment of it had never begun", async () => {
    await assign(app, hostId, client.id, LATER);
    await unassign();
    const received = await listenAll();
    await assign(app, hostId, client.id);
    expect((await received()).client).toContainEqual({ type: "assignment.changed", data: { hostId } });
  });
});

describe("events of a deleted configuration", () => {
  it.each([
    ["has begun", {}, [changed]],
    ["begins later", LATER, []],
  ])(
    "reach the client of one of its hosts when the assignment %s, and name the configuration to the super admin only",
    async (_when, period, ofClient) => {
      await app.config();
      const configId = await app.config();
      await app.database.query("update hosts set config_id = $1", [configId]);
      await assign(app, hostId, client.id, period);
      const received = await listenAll();
      await app.root.delete(`/api/hosts/configs/${configId}`);
      expect(await received()).toEqual({
        root: [{ type: "hosts.changed", data: { configId } }],
        admin: [changed],
        client: ofClient,
        otherAdmin: [],
        otherClient: [],
      });
    },
  );
});

describe("moving a client with hosts to another admin", () => {
  beforeEach(async () => {
    await assign(app, hostId, client.id);
    await assign(app, hostId, (await app.account("client")).id);
  });

  it.each(["another admin", "none"])(
    "publishes one change of hosts to the client and both sides when it moves to %s",
    async (to) => {
      const received = await listenAll();
      await app.root.put(`/api/users/${client.id}`, { adminId: to === "none" ? null : otherAdmin.id });
      expect(await received()).toEqual({
        root: [changed],
        admin: [changed],
        client: [changed],
        otherAdmin: to === "none" ? [] : [changed],
        otherClient: [],
      });
    },
  );

  it("publishes nothing when the admin stays the same or the client has no hosts", async () => {
    const received = await listenAll();
    await app.root.put(`/api/users/${client.id}`, { adminId: admin.id, name: "改名" });
    await app.root.put(`/api/users/${otherClient.id}`, { adminId: admin.id });
    expect(Object.values(await received()).flat()).toEqual([]);
  });
});

describe("deleting a client with hosts", () => {
  it("publishes one change of hosts, which names all of them, to the super admin and the client's admin, live and replayed", async () => {
    const hostIds = [hostId, await insertHost(app), await insertHost(app)];
    for (const each of hostIds) await assign(app, each, client.id);
    await assign(app, hostId, otherClient.id);
    const [newest] = await app.database.query("select max(id) as id from events");
    const accounts = { root: app.root, admin, otherAdmin, otherClient };
    const received = await listen(app, accounts);
    await app.root.delete(`/api/users/${client.id}`);
    const expected = { root: [changed], admin: [changed], otherAdmin: [], otherClient: [] };
    expect(await received()).toEqual(expected);
    const stored = await app.database.query(
      "select payload->'hostIds' as ids from events where type = 'hosts.changed' and id > $1",
      [newest?.id],
    );
    expect(stored).toEqual([
      { ids: expect.toSatisfy((ids: string[]) => ids.toSorted().join() === hostIds.toSorted().join()) },
    ]);
    const later = await listen(app, accounts, String(newest?.id));
    expect((await later()).admin?.[0]).toEqual(changed);
  });
});
