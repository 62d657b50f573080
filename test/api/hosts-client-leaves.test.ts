import { beforeEach, describe, expect, it } from "vitest";
import type { StreamEvent } from "../../src/shared/events.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, insertHost } from "../harness/data.ts";
import { listen } from "../harness/renewals.ts";

const app = useApp();
const changed: StreamEvent = { type: "hosts.changed", data: {} };
let formerAdmin: Account;
let newAdmin: Account;
let client: Account;
/** Both see the client's first host too. */
let otherAdmin: Account;
let otherClient: Account;
let hostIds: string[];

beforeEach(async () => {
  formerAdmin = await app.account("admin");
  newAdmin = await app.account("admin");
  otherAdmin = await app.account("admin");
  client = await app.account("client", { adminId: formerAdmin.id });
  otherClient = await app.account("client", { adminId: otherAdmin.id });
  const shared = await insertHost(app);
  hostIds = [shared, await insertHost(app), await insertHost(app)];
  for (const hostId of hostIds) await assign(app, hostId, client.id);
  await assign(app, shared, otherClient.id);
});

/** Opens a stream for every account; the returned function returns the events each has received. */
async function followAll(lastEventId?: string) {
  const open = (account: Account) => listen(app, account, lastEventId);
  const [root, former, next, ofClient, ...others] = await Promise.all([
    open(app.root),
    open(formerAdmin),
    open(newAdmin),
    open(client),
    open(otherAdmin),
    open(otherClient),
  ]);
  return async () => {
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    return {
      root: await root.untilLast(),
      formerAdmin: await former.untilLast(),
      newAdmin: await next.untilLast(),
      others: await Promise.all(others.map((other) => other.untilLast())),
      // A deleted client receives no last event to wait for.
      client: ofClient.received.filter(({ type }) => type !== "settings.changed"),
    };
  };
}

const move = (adminId: string | null) => app.root.put(`/api/users/${client.id}`, { adminId });
const remove = () => app.root.delete(`/api/users/${client.id}`);

describe("moving a client with hosts to another admin", () => {
  it("publishes a change of hosts to both admins and the client without naming a host, and no assignment change", async () => {
    const receive = await followAll();
    await move(newAdmin.id);
    const expected = { root: [changed], formerAdmin: [changed], newAdmin: [changed], client: [changed] };
    expect(await receive()).toEqual({ ...expected, others: [[], []] });
  });

  it("publishes the change to the former admin when the client moves to none", async () => {
    const receive = await followAll();
    await move(null);
    const expected = { root: [changed], formerAdmin: [changed], newAdmin: [], client: [changed] };
    expect(await receive()).toEqual({ ...expected, others: [[], []] });
  });

  it("publishes the change to the client's first admin", async () => {
    await move(null);
    const receive = await followAll();
    await move(newAdmin.id);
    const expected = { root: [changed], formerAdmin: [], newAdmin: [changed], client: [changed] };
    expect(await receive()).toEqual({ ...expected, others: [[], []] });
  });

  it("publishes no change of hosts when the client keeps its admin and other fields change", async () => {
    const receive = await followAll();
    await app.root.put(`/api/users/${client.id}`, { name: "新名字", adminId: formerAdmin.id });
    await app.root.put(`/api/users/${client.id}`, { email: "new@example.com" });
    expect(await receive()).toEqual({ root: [], formerAdmin: [], newAdmin: [], client: [], others: [[], []] });
  });
});

describe("deleting a client with hosts", () => {
  it("publishes one change of hosts to the super admin and the client's admin only", async () => {
    const receive = await followAll();
    await remove();
    const expected = { root: [changed], formerAdmin: [changed], newAdmin: [], client: [] };
    expect(await receive()).toEqual({ ...expected, others: [[], []] });
  });

  it("publishes the change to the super admin alone when the client has no admin", async () => {
    await move(null);
    const receive = await followAll();
    await remove();
    const expected = { root: [changed], formerAdmin: [], newAdmin: [], client: [] };
    expect(await receive()).toEqual({ ...expected, others: [[], []] });
  });

  it("publishes the change to the current admin after a move and not to the former one", async () => {
    await move(newAdmin.id);
    const receive = await followAll();
    await remove();
    const expected = { root: [changed], formerAdmin: [], newAdmin: [changed] };
    expect(await receive()).toMatchObject({ ...expected, others: [[], []] });
  });

  it("replays the change to streams that connect later", async () => {
    const lastEventId = await newestEvent();
    await remove();
    const back = [app.root, formerAdmin, newAdmin, otherAdmin, otherClient];
    const listeners = await Promise.all(back.map((account) => listen(app, account, lastEventId)));
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    const received = await Promise.all(listeners.map((listener) => listener.untilLast()));
    expect(received).toEqual([[changed], [changed], [], [], []]);
  });

  it("stores one event that names every host whose assignment ended", async () => {
    const lastEventId = await newestEvent();
    await remove();
    const stored = await app.database.query("select type, payload from events where id > $1 order by id", [
      lastEventId,
    ]);
    expect(stored).toEqual([
      {
        type: "hosts.changed",
        payload: {
          configId: null,
          hostIds: expect.toSatisfy((ids: string[]) => ids.toSorted().join() === hostIds.toSorted().join()),
          userId: client.id,
          formerAdminId: formerAdmin.id,
        },
      },
    ]);
  });

  it("publishes no change of hosts when the client has none", async () => {
    const idle = await app.account("client", { adminId: formerAdmin.id });
    const receive = await followAll();
    await app.root.delete(`/api/users/${idle.id}`);
    expect(await receive()).toEqual({ root: [], formerAdmin: [], newAdmin: [], client: [], others: [[], []] });
  });
});

async function newestEvent(): Promise<string> {
  const [newest] = await app.database.query("select max(id) as id from events");
  return String(newest?.id);
}
