import { beforeEach, describe, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, decide, insertHost, requestRenewal } from "../harness/data.ts";
import { listen } from "../harness/event-listeners.ts";

const app = useApp();
let admin: Account;
let client: Account;
let otherAdmin: Account;
let otherClient: Account;
let hostId: string;

beforeEach(async () => {
  admin = await app.account("admin");
  otherAdmin = await app.account("admin");
  client = await app.account("client", { adminId: admin.id });
  otherClient = await app.account("client", { adminId: otherAdmin.id });
  hostId = await insertHost(app);
  for (const { id } of [client, otherClient]) await assign(app, hostId, id);
});

describe("events of a renewal request", () => {
  const extended = () => [
    { type: "hosts.changed", data: {} },
    { type: "assignment.changed", data: { hostId } },
  ];

  it.each([
    ["a request", async () => void (await requestRenewal(client, hostId)), "created", "pending", () => []],
    ["a rejection", (id: string) => decide(app, id, "rejected"), "processed", "rejected", () => []],
    ["a completion", (id: string) => decide(app, id, "completed"), "processed", "completed", extended],
    ["a cancellation", (id: string) => client.delete(`/api/renewals/${id}`), "cancelled", "cancelled", () => []],
  ])(
    "%s reaches the super admin, the client and the client's admin, and no other client of the host",
    async (what, act, type, status, before) => {
      const requested = what === "a request" ? "" : await requestRenewal(client, hostId);
      const received = await listen(app, { root: app.root, admin, client, otherAdmin, otherClient });
      await act(requested);
      const [row] = await app.database.query("select id from renewals");
      const expected = [...before(), { type: `renewal.${type}`, data: { id: row?.id, status } }];
      const { root, ...others } = await received();
      expect(others).toEqual({ admin: expected, client: expected, otherAdmin: [], otherClient: [] });
      expect(root?.map((event) => event.type)).toEqual(expected.map((event) => event.type));
    },
  );

  it.each([
    ["unassigning the host", () => app.root.post("/api/hosts/unassign", { hostId, userId: client.id })],
    ["deleting the client", () => app.root.delete(`/api/users/${client.id}`)],
  ])("%s publishes the cancellation", async (_how, act) => {
    const id = await requestRenewal(client, hostId);
    const received = await listen(app, { root: app.root, otherAdmin, otherClient });
    await act();
    const { root, ...others } = await received();
    expect(root).toContainEqual({ type: "renewal.cancelled", data: { id, status: "cancelled" } });
    expect(others).toEqual({ otherAdmin: [], otherClient: [] });
  });

  it("a rejected call publishes nothing", async () => {
    const id = await requestRenewal(client, hostId);
    await decide(app, id, "rejected");
    const received = await listen(app, { root: app.root });
    await decide(app, id, "completed");
    await client.delete(`/api/renewals/${id}`);
    await client.post("/api/renewals", { hostId, requestedDuration: 0 });
    expect(await received()).toEqual({ root: [] });
  });
});
