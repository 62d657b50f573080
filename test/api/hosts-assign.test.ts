import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, idsOf, insertHost, MISSING, now } from "../harness/data.ts";
import { connectBeside, waitsForLock } from "../harness/database.ts";

const app = useApp();
let client: Account;
let hostId: string;

beforeEach(async () => {
  client = await app.account("client");
  hostId = await insertHost(app);
});

function body(more: Record<string, unknown> = {}) {
  return { hostId, userId: client.id, assignedAt: now(), assignedExpireTime: now() + 30 * DAY, ...more };
}

async function liveAssignments() {
  return await app.database.query("select * from assignments where host_id = $1 and ended_at is null", [hostId]);
}

describe("assigning a host", () => {
  it("assigns the host to the client and returns it with its users", async () => {
    const input = body({ remark: "合同 2026-17" });
    const answer = await app.root.post("/api/hosts/assign", input);
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({
      id: hostId,
      users: [
        {
          id: client.id,
          username: client.username,
          assignedAt: input.assignedAt,
          assignedExpireTime: input.assignedExpireTime,
        },
      ],
    });
    expect(idsOf(await client.get("/api/hosts"))).toEqual([hostId]);
    expect(await liveAssignments()).toMatchObject([
      { remark: "合同 2026-17", user_username: client.username, assigned_by: app.root.id },
    ]);
  });

  it("assigning the same pair again updates the assignment and keeps the remark unless a new one is given", async () => {
    await app.root.post("/api/hosts/assign", body({ remark: "first" }));
    const next = body({ assignedExpireTime: now() + 60 * DAY });
    const answer = await app.root.post("/api/hosts/assign", next);
    expect(answer.data.users).toHaveLength(1);
    expect(answer.data.users[0].assignedExpireTime).toBe(next.assignedExpireTime);
    expect(await liveAssignments()).toMatchObject([{ remark: "first" }]);
    await app.root.post("/api/hosts/assign", body({ remark: "" }));
    expect(await liveAssignments()).toMatchObject([{ remark: null }]);
  });

  it("rejects a change from a caller who has not seen the current assignment", async () => {
    const seen = body();
    await app.root.post("/api/hosts/assign", seen);
    const renewed = body({ assignedExpireTime: now() + 90 * DAY, expectedExpireTime: seen.assignedExpireTime });
    expect((await app.root.post("/api/hosts/assign", renewed)).status).toBe(200);
    const late = body({ remark: "晚了一步", expectedExpireTime: seen.assignedExpireTime });
    const refused = await app.root.post("/api/hosts/assign", late);
    const refusal = { code: "STATE_CONFLICT", message: expect.stringContaining("有效期已被改动") };
    expect([refused.status, refused.body]).toMatchObject([409, refusal]);
    expect(await liveAssignments()).toMatchObject([
      { assigned_expire_time: String(renewed.assignedExpireTime), remark: null },
    ]);
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    expect((await app.root.post("/api/hosts/assign", renewed)).status).toBe(409);
    expect((await app.root.post("/api/hosts/assign", { ...renewed, hostId: MISSING })).status).toBe(404);
    expect(await liveAssignments()).toEqual([]);
  });

  it.each([
    ["less than a day", { assignedExpireTime: now() + DAY - 60 }],
    ["more than 365 days", { assignedExpireTime: now() + 366 * DAY }],
    ["backwards", { assignedExpireTime: now() - 5 }],
    ["milliseconds", { assignedAt: Date.now(), assignedExpireTime: Date.now() + 30 * DAY * 1000 }],
    ["a start far away from the expiry", { assignedAt: undefined, assignedExpireTime: now() + 366 * DAY }],
  ])("rejects an assignment of %s", async (_name, more) => {
    const answer = await app.root.post("/api/hosts/assign", body(more));
    expect([answer.status, answer.data.code]).toEqual([400, "INVALID_INPUT"]);
    expect(await liveAssignments()).toEqual([]);
  });

  it("keeps a stored end beyond 365 days, as renewals may create it, and changes nothing else of the rule", async () => {
    const stored = now() + 500 * DAY;
    await app.root.post("/api/hosts/assign", body());
    await app.database.query("update assignments set assigned_expire_time = $1", [stored]);
    const kept = await app.root.post("/api/hosts/assign", body({ assignedExpireTime: stored, remark: "续费后" }));
    expect([kept.status, kept.data.users[0].assignedExpireTime]).toEqual([200, stored]);
    expect(await liveAssignments()).toMatchObject([{ remark: "续费后" }]);
    for (const more of [{ assignedExpireTime: stored + 1 }, { assignedAt: stored, assignedExpireTime: stored }]) {
      expect((await app.root.post("/api/hosts/assign", body(more))).status).toBe(400);
    }
    const other = await app.account("client");
    const foreign = await app.root.post("/api/hosts/assign", body({ userId: other.id, assignedExpireTime: stored }));
    expect(foreign.status).toBe(400);
  });

  it("the error names the allowed days and requires a user", async () => {
    const tooLong = await app.root.post("/api/hosts/assign", body({ assignedExpireTime: now() + 400 * DAY }));
    expect(tooLong.data).toMatchObject({
      message: "分配天数必须在1-365天之间",
      errors: [{ field: "assignedExpireTime", message: "分配天数必须在1-365天之间" }],
    });
    for (const userId of [undefined, "", 7]) {
      const answer = await app.root.post("/api/hosts/assign", body({ userId }));
      expect(answer.data).toMatchObject({ message: "请选择用户", errors: [{ field: "userId" }] });
    }
  });

  it("assigns only to an active client", async () => {
    const admin = await app.account("admin");
    const disabled = await app.account("client");
    await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
    for (const userId of [admin.id, app.root.id, disabled.id, MISSING]) {
      const answer = await app.root.post("/api/hosts/assign", body({ userId }));
      expect([answer.status, answer.data.errors?.[0]?.field]).toEqual([400, "userId"]);
    }
    expect(await liveAssignments()).toEqual([]);
  });

  it("returns 404 for an unknown host and 409 for one that is gone", async () => {
    expect((await app.root.post("/api/hosts/assign", body({ hostId: MISSING }))).status).toBe(404);
    const gone = await insertHost(app, { gone_at: 1_790_000_000 });
    const answer = await app.root.post("/api/hosts/assign", body({ hostId: gone }));
    expect([answer.status, answer.data.code]).toEqual([409, "STATE_CONFLICT"]);
  });
});

describe("unassigning a host", () => {
  it("ends the assignment, keeps its history, and allows a new assignment", async () => {
    await assign(app, hostId, client.id);
    const answer = await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    expect([answer.status, answer.data.id, answer.data.users]).toEqual([200, hostId, []]);
    expect((await client.get(`/api/hosts/${hostId}`)).status).toBe(404);
    await assign(app, hostId, client.id);
    const rows = await app.database.query("select ended_at from assignments where host_id = $1", [hostId]);
    expect(rows.filter(({ ended_at }) => ended_at !== null)).toHaveLength(1);
    expect(rows).toHaveLength(2);
  });

  it("returns 404 for a pair that is not assigned", async () => {
    const other = await insertHost(app);
    await assign(app, hostId, client.id);
    for (const pair of [
      { hostId: other, userId: client.id },
      { hostId: MISSING, userId: client.id },
      { hostId, userId: MISSING },
    ]) {
      expect((await app.root.post("/api/hosts/unassign", pair)).status).toBe(404);
    }
    expect(await liveAssignments()).toHaveLength(1);
  });
});

it.skipIf(process.env.TEST_DATABASE_URL === undefined)(
  "removing all clients of a host succeeds when one of them loses it at the same time",
  async () => {
    const other = await app.account("client");
    for (const { id } of [client, other]) await assign(app, hostId, id);
    await using beside = await connectBeside(app.database);
    await beside.query("begin");
    await beside.query("update assignments set ended_at = 1 where user_id = $1", [client.id]);
    const batch = app.root.post("/api/hosts/batch", { operation: "unassign", hostIds: [hostId] });
    await vi.waitUntil(() => waitsForLock(beside), { interval: 5 });
    await beside.query("commit");
    expect((await batch).data.results).toEqual([{ hostId, ok: true }]);
    expect(await liveAssignments()).toEqual([]);
  },
);

describe("deleting a client with hosts", () => {
  it("a deleted client has no hosts, and the history keeps the name", async () => {
    await assign(app, hostId, client.id);
    await app.root.delete(`/api/users/${client.id}`);
    expect((await app.root.get(`/api/hosts/${hostId}`)).data.users).toEqual([]);
    expect(idsOf(await app.root.get("/api/hosts?assigned=true"))).toEqual([]);
    const rows = await app.database.query("select user_username, ended_at from assignments");
    expect(rows).toMatchObject([{ user_username: client.username }]);
    expect(Math.abs(Number(rows[0]?.ended_at) - now())).toBeLessThan(5);
  });

  it("deleting a client keeps the end of earlier assignments", async () => {
    await assign(app, hostId, client.id);
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    await app.database.query("update assignments set ended_at = ended_at - 100");
    const ends = () => app.database.query("select id, ended_at from assignments");
    const before = await ends();
    await app.root.delete(`/api/users/${client.id}`);
    expect(await ends()).toEqual(before);
  });
});
