import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { ADVISORY_LOCKS } from "../../src/server/database/sql.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, decide, failureOf, idsOf, insertHost, renewalIn, requestRenewal } from "../harness/data.ts";

const app = useApp();
let client: Account;
let hostId: string;

beforeEach(async () => {
  client = await app.account("client");
  hostId = await insertHost(app);
  await assign(app, hostId, client.id);
});

const readAsRoot = async (id: string) => (await app.root.get(`/api/renewals/${id}`)).data;
const unassign = () => app.root.post("/api/hosts/unassign", { hostId, userId: client.id });

/** Number of deadlocks in this database; the server retries them, so answers do not show them. */
function deadlocks(): Promise<unknown> {
  return app.database.query("select deadlocks from pg_stat_database where datname = current_database()");
}

describe("unassigning a host with renewal requests", () => {
  it("cancels the client's pending request for the host and no other, and keeps decided ones", async () => {
    const approved = await renewalIn(app, { client, hostId }, "approved");
    const pending = await requestRenewal(client, hostId);
    const [other, otherHost] = [await app.account("client"), await insertHost(app)];
    await assign(app, hostId, other.id);
    await assign(app, otherHost, client.id);
    const left = [await requestRenewal(other, hostId), await requestRenewal(client, otherHost)];
    const { assignedExpireTime } = await readAsRoot(pending);
    expect((await unassign()).status).toBe(200);
    expect(await readAsRoot(pending)).toMatchObject({ status: "cancelled", processedBy: null, assignedExpireTime });
    expect((await readAsRoot(approved)).status).toBe("approved");
    expect(idsOf(await app.root.get("/api/renewals?status=pending")).sort()).toEqual(left.sort());
    expect(failureOf(await decide(app, pending, "completed"))).toEqual([409, "STATE_CONFLICT"]);
  });

  it("cancels pending requests in a batch as well", async () => {
    const pending = await requestRenewal(client, hostId);
    await app.root.post("/api/hosts/batch", { operation: "unassign", hostIds: [hostId] });
    expect((await readAsRoot(pending)).status).toBe("cancelled");
  });

  it("leaves no pending request when the client requests a renewal at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const created = client.post("/api/renewals", { hostId, requestedDuration: 30 });
      expect((await unassign()).status).toBe(200);
      expect([201, 404]).toContain((await created).status);
      expect(idsOf(await app.root.get("/api/renewals?status=pending"))).toEqual([]);
      await assign(app, hostId, client.id);
    }
  });
});

describe("deleting a client with renewal requests", () => {
  it("keeps the history with the client's name and contacts, and cancels pending requests", async () => {
    const admin = await app.account("admin");
    await app.root.put(`/api/users/${client.id}`, { adminId: admin.id, email: "k@example.com", phone: "13900001111" });
    const completed = await renewalIn(app, { client, hostId }, "completed");
    const approved = await renewalIn(app, { client, hostId }, "approved");
    const pending = await requestRenewal(client, hostId);
    const { user, assignedExpireTime } = await readAsRoot(completed);
    await app.root.delete(`/api/users/${client.id}`);
    expect(user).toMatchObject({ username: client.username, email: "k@example.com", phone: "13900001111" });
    expect(await readAsRoot(pending)).toMatchObject({ status: "cancelled", user, assignedExpireTime });
    expect(await readAsRoot(completed)).toMatchObject({ status: "completed", user, assignedExpireTime });
    expect(failureOf(await decide(app, approved, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    const found = await app.root.get(`/api/renewals?search=${client.username}`);
    expect(idsOf(found)).toEqual([pending, approved, completed]);
    expect(idsOf(await admin.get("/api/renewals"))).toEqual([]);
  });

  it("gives a new user of the same username none of the requests", async () => {
    const id = await requestRenewal(client, hostId);
    await app.root.delete(`/api/users/${client.id}`);
    const next = await app.account("client", { username: client.username });
    expect(idsOf(await next.get("/api/renewals"))).toEqual([]);
    expect((await next.get(`/api/renewals/${id}`)).status).toBe(404);
    expect((await next.post("/api/renewals", { hostId, requestedDuration: 30 })).status).toBe(404);
  });

  it("succeeds during decisions, and each request ends in one state", async () => {
    for (const decision of ["approved", "completed", "rejected"]) {
      const leaving = await app.account("client");
      const ids: string[] = [];
      for (let count = 0; count < 3; count++) {
        const each = await insertHost(app);
        await assign(app, each, leaving.id);
        ids.push(await requestRenewal(leaving, each));
      }
      const [deleted, ...decided] = await Promise.all([
        app.root.delete(`/api/users/${leaving.id}`),
        ...ids.map((id) => decide(app, id, decision)),
      ]);
      expect(deleted.status).toBe(200);
      for (const [index, id] of ids.entries()) {
        expect((await readAsRoot(id)).status).toBe(decided[index]?.status === 200 ? decision : "cancelled");
      }
    }
  });

  it("causes no deadlock with a decision although both write events", async () => {
    const id = await requestRenewal(client, hostId);
    const before = await deadlocks();
    await app.database.query("begin");
    await app.database.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCKS.eventAppend]);
    const deleted = app.root.delete(`/api/users/${client.id}`);
    await setTimeout(300);
    const decided = decide(app, id, "approved");
    await setTimeout(300);
    await app.database.query("commit");
    expect((await deleted).status).toBe(200);
    // Either call may come first, and each order has one correct result.
    const { status } = await decided;
    expect([200, 409]).toContain(status);
    expect((await readAsRoot(id)).status).toBe(status === 200 ? "approved" : "cancelled");
    expect(await deadlocks()).toEqual(before);
  });
});

it("the history keeps the name of a deleted super admin who decided a request", async () => {
  const second = await app.account("super_admin", { username: "second_root" });
  const id = await requestRenewal(client, hostId);
  await decide({ root: second }, id, "approved");
  await app.root.delete(`/api/users/${second.id}`);
  expect((await readAsRoot(id)).processedBy).toEqual({ id: second.id, name: "second_root" });
});
