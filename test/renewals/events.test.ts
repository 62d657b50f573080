import { beforeEach, describe, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, insertHost } from "../hosts/host-rows.ts";
import { decide, listen, request } from "./renewal-stories.ts";

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

/** All follow the stream; `hear` answers what each was told until then. */
async function everybody() {
  const ears = await Promise.all([app.root, admin, client, ...strangers].map((account) => listen(app, account)));
  return async () => {
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    const [root, forAdmin, forClient, ...forStrangers] = await Promise.all(ears.map((ear) => ear.untilLast()));
    return { root, admin: forAdmin, client: forClient, strangers: forStrangers };
  };
}

describe("events of a renewal request", () => {
  it("a new request reaches the super admin, the client and the client's admin", async () => {
    const hear = await everybody();
    const id = await request(client, hostId);
    const received = [{ type: "renewal.created", data: { id, status: "pending" } }];
    expect(await hear()).toEqual({ root: received, admin: received, client: received, strangers: [[], []] });
  });

  it("a decision reaches them with the status and nothing else", async () => {
    const id = await request(client, hostId);
    const hear = await everybody();
    await decide(app, id, "rejected");
    const received = [{ type: "renewal.processed", data: { id, status: "rejected" } }];
    expect(await hear()).toEqual({ root: received, admin: received, client: received, strangers: [[], []] });
  });

  it("a completion reaches them with the changed assignment", async () => {
    const id = await request(client, hostId);
    const hear = await everybody();
    await decide(app, id, "completed");
    const heard = await hear();
    const told = [
      { type: "hosts.changed", data: {} },
      { type: "assignment.changed", data: { hostId } },
      { type: "renewal.processed", data: { id, status: "completed" } },
    ];
    expect(heard.client).toEqual(told);
    for (const others of [heard.root, heard.admin]) {
      expect(others?.map(({ type }) => type)).toEqual(told.map(({ type }) => type));
    }
    expect(heard.strangers).toEqual([[], []]);
  });

  it("a completion does not reach other clients of the host, whose expiry is unchanged", async () => {
    const [, neighbour] = strangers;
    await assign(app, hostId, String(neighbour?.id));
    const id = await request(client, hostId);
    const hear = await everybody();
    await decide(app, id, "completed");
    const heard = await hear();
    expect(heard.client).toHaveLength(3);
    expect(heard.strangers).toEqual([[], []]);
  });

  it("a cancellation reaches them", async () => {
    const id = await request(client, hostId);
    const hear = await everybody();
    await client.delete(`/api/renewals/${id}`);
    const heard = await hear();
    for (const told of [heard.root, heard.admin, heard.client]) {
      expect(told).toMatchObject([{ type: "renewal.cancelled", data: { id, status: "cancelled" } }]);
    }
    expect(heard.strangers).toEqual([[], []]);
  });

  it("a cancellation by unassigning reaches them", async () => {
    const id = await request(client, hostId);
    const hear = await everybody();
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    const heard = await hear();
    for (const told of [heard.root, heard.admin, heard.client]) {
      expect(told).toContainEqual({ type: "renewal.cancelled", data: expect.objectContaining({ id }) });
    }
    expect(heard.strangers).toEqual([[], []]);
  });

  it("a cancellation by deleting the client reaches the super admin", async () => {
    const id = await request(client, hostId);
    const ear = await listen(app, app.root);
    await app.root.delete(`/api/users/${client.id}`);
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    const data = { id, status: "cancelled" };
    expect(await ear.untilLast()).toContainEqual({ type: "renewal.cancelled", data });
  });

  it("a rejected call publishes nothing", async () => {
    const id = await request(client, hostId);
    await decide(app, id, "rejected");
    const hear = await everybody();
    await decide(app, id, "completed");
    await client.delete(`/api/renewals/${id}`);
    await client.post("/api/renewals", { hostId, requestedDuration: 0 });
    expect(await hear()).toEqual({ root: [], admin: [], client: [], strangers: [[], []] });
  });

  it("recipients are evaluated at delivery and replay: only the new admin receives the event", async () => {
    const id = await request(client, hostId);
    const [strangeAdmin] = strangers;
    if (strangeAdmin === undefined) throw new Error("there is no other admin");
    await app.root.put(`/api/users/${client.id}`, { adminId: strangeAdmin.id });
    const [before] = await app.database.query("select id - 1 as place from events where type = 'renewal.created'");
    const ears = await Promise.all([admin, strangeAdmin].map((account) => listen(app, account, String(before?.place))));
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    const [former, present] = await Promise.all(ears.map((ear) => ear.untilLast()));
    // That the client has moved is told to both.
    const moved = { type: "hosts.changed", data: {} };
    expect(former).toEqual([moved]);
    expect(present).toMatchObject([{ type: "renewal.created", data: { id } }, moved]);
  });
});
