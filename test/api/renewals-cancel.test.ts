import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { ADVISORY_LOCKS } from "../../src/server/database/sql.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, insertHost, MISSING } from "../harness/data.ts";
import { decide, expiryOf, failureOf, idsOf, request, requestIn } from "../harness/renewals.ts";

const app = useApp();
let client: Account;
let hostId: string;

beforeEach(async () => {
  client = await app.account("client");
  hostId = await insertHost(app);
  await assign(app, hostId, client.id);
});

async function seenByRoot(id: string) {
  return (await app.root.get(`/api/renewals/${id}`)).data;
}

/** Number of deadlocks in this database; the server retries them, so answers do not show them. */
async function deadlocks(): Promise<unknown> {
  return await app.database.query("select deadlocks from pg_stat_database where datname = current_database()");
}

function unassign() {
  return app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
}

describe("cancelling a renewal request", () => {
  it("returns nothing and keeps the request in the history as cancelled", async () => {
    const id = await request(client, hostId);
    const answer = await client.delete(`/api/renewals/${id}`);
    expect([answer.status, answer.data]).toEqual([200, {}]);
    expect(idsOf(await client.get("/api/renewals?status=cancelled"))).toEqual([id]);
    const seen = await seenByRoot(id);
    expect(seen).toMatchObject({ status: "cancelled", processedBy: null, adminRemark: null });
    expect(seen.processedAt).toEqual(expect.any(Number));
  });

  it.each([
    ["approved", "批准"],
    ["rejected", "拒绝"],
    ["completed", "完成"],
    ["cancelled", "取消"],
  ] as const)("returns 409 with the status for a request that is %s", async (status, outcome) => {
    const id = await requestIn(app, { client, hostId }, status);
    const { data, ...answer } = await client.delete(`/api/renewals/${id}`);
    expect([answer.status, data.code, data.message]).toEqual([
      409,
      "STATE_CONFLICT",
      `该申请已${outcome}，本次操作未生效`,
    ]);
    expect((await seenByRoot(id)).status).toBe(status);
  });

  it("returns the same 404 for a request of another client as for a missing one", async () => {
    const other = await app.account("client");
    const id = await request(client, hostId);
    for (const each of [id, MISSING]) {
      const { data, ...answer } = await other.delete(`/api/renewals/${each}`);
      expect([answer.status, data.code, data.message]).toEqual([404, "NOT_FOUND", "续费申请不存在"]);
    }
    expect((await client.delete("/api/renewals/1")).status).toBe(400);
    expect((await seenByRoot(id)).status).toBe("pending");
  });

  it("only the client may cancel its request", async () => {
    const admin = await app.account("admin");
    await app.root.put(`/api/users/${client.id}`, { adminId: admin.id });
    const id = await request(client, hostId);
    for (const path of [id, MISSING, "1"].map((each) => `/api/renewals/${each}`)) {
      for (const account of [admin, app.root]) expect((await account.delete(path)).status).toBe(403);
      expect((await app.anonymous.delete(path)).status).toBe(401);
    }
    expect((await seenByRoot(id)).status).toBe("pending");
  });

  it("a concurrent decision and cancellation succeed exactly once", async () => {
    for (const decision of ["approved", "completed", "rejected", "completed", "approved"]) {
      const id = await request(client, hostId);
      const before = await expiryOf(app, hostId, client);
      const answers = await Promise.all([client.delete(`/api/renewals/${id}`), decide(app, id, decision)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const winner = answers[0].status === 200 ? "cancelled" : decision;
      expect((await seenByRoot(id)).status).toBe(winner);
      expect(await expiryOf(app, hostId, client)).toBe(before + (winner === "completed" ? 30 * DAY : 0));
    }
  });

  it("exactly one of ten concurrent cancellations succeeds", async () => {
    const id = await request(client, hostId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.delete(`/api/renewals/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });
});

describe("unassigning a host with renewal requests", () => {
  it("cancels the pending request and keeps decided ones readable", async () => {
    const rejected = await requestIn(app, { client, hostId }, "rejected");
    const approved = await requestIn(app, { client, hostId }, "approved");
    const pending = await request(client, hostId);
    const { assignedExpireTime } = await seenByRoot(pending);
    expect((await unassign()).status).toBe(200);
    expect(await seenByRoot(pending)).toMatchObject({ status: "cancelled", processedBy: null, assignedExpireTime });
    expect((await seenByRoot(rejected)).status).toBe("rejected");
    expect((await seenByRoot(approved)).status).toBe("approved");
    expect(idsOf(await client.get("/api/renewals"))).toEqual([pending, approved, rejected]);
    expect(failureOf(await decide(app, pending, "completed"))).toEqual([409, "STATE_CONFLICT"]);
  });

  it("cancels pending requests in a batch as well", async () => {
    const pending = await request(client, hostId);
    await app.root.post("/api/hosts/batch", { operation: "unassign", hostIds: [hostId] });
    expect((await seenByRoot(pending)).status).toBe("cancelled");
  });

  it("keeps requests of other clients and for other hosts pending", async () => {
    const [other, otherHost] = [await app.account("client"), await insertHost(app)];
    await assign(app, hostId, other.id);
    await assign(app, otherHost, client.id);
    const left = [await request(other, hostId), await request(client, otherHost)];
    await request(client, hostId);
    await unassign();
    expect(idsOf(await app.root.get("/api/renewals?status=pending")).sort()).toEqual(left.sort());
  });

  it("leaves no pending request when the client requests a renewal at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const [created, ended] = await Promise.all([
        client.post("/api/renewals", { hostId, requestedDuration: 30 }),
        unassign(),
      ]);
      expect(ended.status).toBe(200);
      expect([201, 404]).toContain(created.status);
      expect(idsOf(await app.root.get("/api/renewals?status=pending"))).toEqual([]);
      await assign(app, hostId, client.id);
    }
  });

  it("a concurrent completion succeeds or returns 409 without a deadlock", async () => {
    const before = await deadlocks();
    for (let round = 0; round < 5; round++) {
      const id = await requestIn(app, { client, hostId }, round % 2 === 0 ? "pending" : "approved");
      const [completed, ended] = await Promise.all([decide(app, id, "completed"), unassign()]);
      expect(ended.status).toBe(200);
      expect([200, 409]).toContain(completed.status);
      const undecided = round % 2 === 0 ? "cancelled" : "approved";
      expect((await seenByRoot(id)).status).toBe(completed.status === 200 ? "completed" : undecided);
      await assign(app, hostId, client.id);
    }
    expect(await deadlocks()).toEqual(before);
  });
});

describe("deleting a client with renewal requests", () => {
  it("keeps the history with the client's name and cancels pending requests", async () => {
    const admin = await app.account("admin");
    await app.root.put(`/api/users/${client.id}`, { adminId: admin.id, email: "k@example.com", phone: "13900001111" });
    const completed = await requestIn(app, { client, hostId }, "completed");
    const pending = await request(client, hostId);
    const { user, assignedExpireTime } = await seenByRoot(completed);
    await app.root.delete(`/api/users/${client.id}`);
    expect(await seenByRoot(pending)).toMatchObject({ status: "cancelled", user, assignedExpireTime });
    expect(await seenByRoot(completed)).toMatchObject({ status: "completed", user, assignedExpireTime });
    expect(user).toMatchObject({ username: client.username, email: "k@example.com", phone: "13900001111" });
    expect(idsOf(await app.root.get(`/api/renewals?search=${client.username}`))).toEqual([pending, completed]);
    expect(idsOf(await admin.get("/api/renewals"))).toEqual([]);
  });

  it("gives a new user of the same username none of the requests", async () => {
    const id = await request(client, hostId);
    await app.root.delete(`/api/users/${client.id}`);
    const next = await app.account("client", { username: client.username });
    expect(idsOf(await next.get("/api/renewals"))).toEqual([]);
    expect((await next.get(`/api/renewals/${id}`)).status).toBe(404);
    expect((await next.post("/api/renewals", { hostId, requestedDuration: 30 })).status).toBe(404);
    expect((await seenByRoot(id)).user.id).toBe(client.id);
  });

  it("an approved request of a deleted client cannot be completed", async () => {
    const id = await requestIn(app, { client, hostId }, "approved");
    await app.root.delete(`/api/users/${client.id}`);
    expect(failureOf(await decide(app, id, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    expect((await seenByRoot(id)).status).toBe("approved");
  });

  it("a client deleted during decisions is gone, and each request has one final state", async () => {
    for (const decision of ["approved", "completed", "rejected"]) {
      const leaving = await app.account("client");
      const hosts = [await insertHost(app), await insertHost(app), await insertHost(app)];
      for (const each of hosts) await assign(app, each, leaving.id);
      const ids = [];
      for (const each of hosts) ids.push(await request(leaving, each));
      const [deleted, ...decided] = await Promise.all([
        app.root.delete(`/api/users/${leaving.id}`),
        ...ids.map((id) => decide(app, id, decision)),
      ]);
      expect(deleted.status).toBe(200);
      for (const [index, id] of ids.entries()) {
        expect((await seenByRoot(id)).status).toBe(decided[index]?.status === 200 ? decision : "cancelled");
      }
    }
  });

  it("deleting a client during a decision causes no deadlock although both write events", async () => {
    const id = await request(client, hostId);
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
    expect((await seenByRoot(id)).status).toBe(status === 200 ? "approved" : "cancelled");
    expect(await deadlocks()).toEqual(before);
  });

  it("the history keeps the name of a deleted super admin who decided", async () => {
    const second = await app.account("super_admin", { username: "second_root" });
    const id = await request(client, hostId);
    await decide({ root: second }, id, "approved");
    await app.root.delete(`/api/users/${second.id}`);
    expect((await seenByRoot(id)).processedBy).toEqual({ id: second.id, name: "second_root" });
  });
});
