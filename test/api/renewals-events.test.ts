import { beforeEach, describe, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, insertHost } from "../harness/data.ts";
import { decide, listen, request } from "../harness/renewals.ts";

const app = useApp();
let admin: Account;
let client: Account;
let strangers: Account[];
let hostId: string;

beforeEach(async () => {
  admin = await app.account("admin");
  client = await app.account("client", { adminId: admin.id });
  const strangeAdmin = await app.account("admin");
  strangers = [strangeAdmin, await app.account("client", { adminId: strangeAdmin.id })];
  hostId = await insertHost(app);
  await assign(app, hostId, client.id);
});

/** Opens a stream for every account; the returned function returns the events each has received. */
async function followAll() {
  const listeners = await Promise.all([app.root, admin, client, ...strangers].map((account) => listen(app, account)));
  return async () => {
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    const [root, forAdmin, forClient, ...forStrangers] = await Promise.all(
      listeners.map((listener) => listener.untilLast()),
    );
    return { root, admin: forAdmin, client: forClient, strangers: forStrangers };
  };
}

describe("events of a renewal request", () => {
  it("a new request reaches the super admin, the client and the client's admin", async () => {
    const receive = await followAll();
    const id = await request(client, hostId);
    const expected = [{ type: "renewal.created", data: { id, status: "pending" } }];
    expect(await receive()).toEqual({ root: expected, admin: expected, client: expected, strangers: [[], []] });
  });

  it("a decision reaches them with the status and nothing else", async () => {
    const id = await request(client, hostId);
    const receive = await followAll();
    await decide(app, id, "rejected");
    const expected = [{ type: "renewal.processed", data: { id, status: "rejected" } }];
    expect(await receive()).toEqual({ root: expected, admin: expected, client: expected, strangers: [[], []] });
  });

  it("a completion reaches them with the changed assignment", async () => {
    const id = await request(client, hostId);
    const receive = await followAll();
    await decide(app, id, "completed");
    const received = await receive();
    const expected = [
      { type: "hosts.changed", data: {} },
      { type: "assignment.changed", data: { hostId } },
      { type: "renewal.processed", data: { id, status: "completed" } },
    ];
    expect(received.client).toEqual(expected);
    for (const others of [received.root, received.admin]) {
      expect(others?.map(({ type }) => type)).toEqual(expected.map(({ type }) => type));
    }
    expect(received.strangers).toEqual([[], []]);
  });

  it("a completion does not reach other clients of the host, whose expiry is unchanged", async () => {
    const [, neighbour] = strangers;
    await assign(app, hostId, String(neighbour?.id));
    const id = await request(client, hostId);
    const receive = await followAll();
    await decide(app, id, "completed");
    const received = await receive();
    expect(received.client).toHaveLength(3);
    expect(received.strangers).toEqual([[], []]);
  });

  it("a cancellation reaches them", async () => {
    const id = await request(client, hostId);
    const receive = await followAll();
    await client.delete(`/api/renewals/${id}`);
    const received = await receive();
    for (const events of [received.root, received.admin, received.client]) {
      expect(events).toMatchObject([{ type: "renewal.cancelled", data: { id, status: "cancelled" } }]);
    }
    expect(received.strangers).toEqual([[], []]);
  });

  it("a cancellation by unassigning reaches them", async () => {
    const id = await request(client, hostId);
    const receive = await followAll();
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    const received = await receive();
    for (const events of [received.root, received.admin, received.client]) {
      expect(events).toContainEqual({ type: "renewal.cancelled", data: expect.objectContaining({ id }) });
    }
    expect(received.strangers).toEqual([[], []]);
  });

  it("a cancellation by deleting the client reaches the super admin", async () => {
    const id = await request(client, hostId);
    const listener = await listen(app, app.root);
    await app.root.delete(`/api/users/${client.id}`);
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    const data = { id, status: "cancelled" };
    expect(await listener.untilLast()).toContainEqual({ type: "renewal.cancelled", data });
  });

  it("a rejected call publishes nothing", async () => {
    const id = await request(client, hostId);
    await decide(app, id, "rejected");
    const receive = await followAll();
    await decide(app, id, "completed");
    await client.delete(`/api/renewals/${id}`);
    await client.post("/api/renewals", { hostId, requestedDuration: 0 });
    expect(await receive()).toEqual({ root: [], admin: [], client: [], strangers: [[], []] });
  });

  it("recipients are evaluated at delivery and replay: only the new admin receives the event", async () => {
    const id = await request(client, hostId);
    const [strangeAdmin] = strangers;
    if (strangeAdmin === undefined) throw new Error("there is no other admin");
    await app.root.put(`/api/users/${client.id}`, { adminId: strangeAdmin.id });
    const [before] = await app.database.query("select id - 1 as place from events where type = 'renewal.created'");
    const listeners = await Promise.all(
      [admin, strangeAdmin].map((account) => listen(app, account, String(before?.place))),
    );
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    const [former, present] = await Promise.all(listeners.map((listener) => listener.untilLast()));
    // Both admins receive the move of the client.
    const moved = { type: "hosts.changed", data: {} };
    expect(former).toEqual([moved]);
    expect(present).toMatchObject([{ type: "renewal.created", data: { id } }, moved]);
  });
});
