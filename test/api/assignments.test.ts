import { beforeEach, describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import {
  assign,
  idsOf,
  insertHost,
  MISSING,
  now,
  PART_OF_DAY,
  renewalIn,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";

const app = useApp();
const INVALID = { status: 400, data: { code: "INVALID_INPUT" } };
const NOT_FOUND = { status: 404, data: { code: "NOT_FOUND" } };
const STATE_CONFLICT = { status: 409, data: { code: "STATE_CONFLICT" } };
let client: Account;
let hostId: string;

beforeEach(async () => {
  client = await app.account("client");
  hostId = await insertHost(app);
});

function post(more: Record<string, unknown> = {}) {
  const end = now() + 30 * DAY_SECONDS + PART_OF_DAY;
  const period = { assignedAt: now(), assignedExpireTime: end };
  return app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period, ...more });
}

async function liveAssignments() {
  return await app.database.query(
    "select * from assignments where host_id = $1 and ended_at is null",
    [hostId],
  );
}

const requestOf = async (id: string) => (await app.root.get(`/api/renewals/${id}`)).data;
const batch = async (body: object) => (await app.root.post("/api/hosts/batch", body)).data.results;
const pendingIds = async () => idsOf(await app.root.get("/api/renewals?status=pending"));

describe("assigning a host", () => {
  it("assigning a pair again updates it and keeps the remark unless one is given", async () => {
    const period = { assignedAt: now(), assignedExpireTime: now() + 30 * DAY_SECONDS };
    const answer = await post({ ...period, remark: "合同 2026-17" });
    expect(answer.status).toBe(200);
    const { id, username } = client;
    expect(answer.data).toMatchObject({ id: hostId, users: [{ id, username, ...period }] });
    expect(idsOf(await client.get("/api/hosts"))).toEqual([hostId]);
    const stored = { remark: "合同 2026-17", user_username: username, assigned_by: app.root.id };
    expect(await liveAssignments()).toMatchObject([stored]);
    const assignedExpireTime = now() + 60 * DAY_SECONDS;
    expect((await post({ assignedExpireTime })).data.users).toMatchObject([{ assignedExpireTime }]);
    expect(await liveAssignments()).toMatchObject([stored]);
    for (const remark of ["", null]) {
      await post({ remark });
      expect(await liveAssignments()).toMatchObject([{ ...stored, remark: null }]);
      await post({ remark: "合同 2026-18" });
    }
  });

  it("begins now when no start is given, and forgives a clock that is minutes ahead", async () => {
    const assignedExpireTime = now() + 365 * DAY_SECONDS + 240;
    const { data } = await post({ assignedAt: undefined, assignedExpireTime });
    expect(Math.abs(data.users[0].assignedAt - now())).toBeLessThan(60);
    expect(data.users).toMatchObject([{ assignedExpireTime }]);
  });

  it("rejects a change from a caller who has not seen the current assignment", async () => {
    const seen = now() + 30 * DAY_SECONDS + PART_OF_DAY;
    const next = now() + 90 * DAY_SECONDS + PART_OF_DAY;
    await post({ assignedExpireTime: seen });
    const renewed = { assignedExpireTime: next, expectedExpireTime: seen };
    expect((await post(renewed)).status).toBe(200);
    const refused = await post({ remark: "晚了一步", expectedExpireTime: seen });
    const data = { code: "STATE_CONFLICT", message: expect.stringContaining("有效期已被改动") };
    expect(refused).toMatchObject({ status: 409, data });
    expect(await liveAssignments()).toMatchObject([
      { assigned_expire_time: String(next), remark: null },
    ]);
    await unassign(app, hostId, client.id);
    expect((await post(renewed)).status).toBe(409);
    expect((await post({ ...renewed, hostId: MISSING })).status).toBe(404);
    expect(await liveAssignments()).toEqual([]);
  });

  it("keeps a stored end beyond 365 days, as renewals may create it", async () => {
    const stored = now() + 500 * DAY_SECONDS + PART_OF_DAY;
    await post();
    await app.database.query("update assignments set assigned_expire_time = $1", [stored]);
    const kept = await post({ assignedExpireTime: stored, remark: "续费后" });
    expect([kept.status, kept.data.users[0].assignedExpireTime]).toEqual([200, stored]);
    const other = await app.account("client");
    for (const more of [
      { assignedExpireTime: stored + 1 },
      { assignedAt: stored, assignedExpireTime: stored },
      { userId: other.id, assignedExpireTime: stored },
    ]) {
      expect(await post(more)).toMatchObject(INVALID);
    }
  });

  it("is refused for a period of less than a day, more than 365 days, in milliseconds", async () => {
    for (const more of [
      { assignedExpireTime: now() + DAY_SECONDS - 60 },
      { assignedExpireTime: now() - 5 },
      { assignedAt: Date.now(), assignedExpireTime: Date.now() + 30 * DAY_SECONDS * 1000 },
      { assignedAt: undefined, assignedExpireTime: now() + 366 * DAY_SECONDS },
    ]) {
      expect([more, await post(more)]).toMatchObject([more, INVALID]);
    }
    const field = "assignedExpireTime";
    const message = "分配天数必须在1-365天之间";
    const { data } = await post({ assignedExpireTime: now() + 366 * DAY_SECONDS });
    expect(data).toMatchObject({ message, errors: [{ field, message }] });
    expect(await liveAssignments()).toEqual([]);
  });

  it("is possible for an active client only, and for a host that is present", async () => {
    const admin = await app.account("admin");
    const disabled = await app.account("client");
    await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
    for (const userId of [admin.id, app.root.id, disabled.id, MISSING]) {
      expect(await post({ userId })).toMatchObject({
        status: 400,
        data: { errors: [{ field: "userId" }] },
      });
    }
    expect(await liveAssignments()).toEqual([]);
    expect(await post({ hostId: MISSING })).toMatchObject(NOT_FOUND);
    const gone = await insertHost(app, { gone_at: 1_790_000_000 });
    expect(await post({ hostId: gone })).toMatchObject(STATE_CONFLICT);
  });
});

describe("unassigning a host", () => {
  it("ends the assignment, keeps its history and allows a new assignment", async () => {
    await assign(app, hostId, client.id);
    for (const host of [await insertHost(app), MISSING])
      expect((await unassign(app, host, client.id)).status).toBe(404);
    expect((await unassign(app, hostId, MISSING)).status).toBe(404);
    const answer = await unassign(app, hostId, client.id);
    expect([answer.status, answer.data.id, answer.data.users]).toEqual([200, hostId, []]);
    expect((await client.get(`/api/hosts/${hostId}`)).status).toBe(404);
    await assign(app, hostId, client.id);
    expect(await liveAssignments()).toHaveLength(1);
    expect(await app.database.query("select id from assignments")).toHaveLength(2);
  });

  it("cancels the client's pending request for the host and no other", async () => {
    await assign(app, hostId, client.id);
    const rejected = await renewalIn(app, { client, hostId }, "rejected");
    const pending = await requestRenewal(client, hostId);
    const other = await app.account("client");
    const otherHost = await insertHost(app);
    await assign(app, hostId, other.id);
    await assign(app, otherHost, client.id);
    const left = [await requestRenewal(other, hostId), await requestRenewal(client, otherHost)];
    const { assignedExpireTime } = await requestOf(pending);
    expect((await unassign(app, hostId, client.id)).status).toBe(200);
    expect(await requestOf(pending)).toMatchObject({
      status: "cancelled",
      processedBy: null,
      assignedExpireTime,
    });
    expect((await requestOf(rejected)).status).toBe("rejected");
    expect((await pendingIds()).sort()).toEqual(left.sort());
    const hostIds = [hostId, otherHost];
    expect(await batch({ operation: "unassign", hostIds })).toEqual(
      hostIds.map((id) => ({ hostId: id, ok: true })),
    );
    expect([await pendingIds(), await liveAssignments()]).toEqual([[], []]);
  });

  itOnPostgresql.each([
    ["before", 201],
    ["after", 404],
  ])(
    "leaves no pending request when the client asks for one right %s it",
    async (asked, status) => {
      await assign(app, hostId, client.id);
      const request = () => client.post("/api/renewals", { hostId, requestedDuration: 30 });
      const end = () => unassign(app, hostId, client.id);
      // Both wait for the assignment, and get it in the order in which they came.
      await using lock = await holdLock(
        app.database,
        "select from assignments where host_id = $1 for update",
        [hostId],
      );
      const first = asked === "before" ? request() : end();
      await lock.awaited(1);
      const second = asked === "before" ? end() : request();
      await lock.awaited(2);

      await lock.release();

      const [requested, ended] =
        asked === "before" ? [await first, await second] : [await second, await first];
      expect([requested.status, ended.status]).toEqual([status, 200]);
      expect(await pendingIds()).toEqual([]);
    },
  );
});

it("a batch ends the assignments of the client that it names and of no other", async () => {
  const hostIds = [hostId, await insertHost(app)];
  const other = await app.account("client");
  const kept: string[] = [];
  for (const each of hostIds) {
    await assign(app, each, client.id);
    await assign(app, each, other.id);
    await requestRenewal(client, each);
    kept.push(await requestRenewal(other, each));
  }

  const results = await batch({ operation: "unassign", hostIds, userId: client.id });

  expect(results).toEqual(hostIds.map((id) => ({ hostId: id, ok: true })));
  expect(idsOf(await client.get("/api/hosts"))).toEqual([]);
  expect(idsOf(await other.get("/api/hosts")).toSorted()).toEqual(hostIds.toSorted());
  expect((await pendingIds()).toSorted()).toEqual(kept.toSorted());
});

it("a batch assigns and unassigns each host on its own, to active clients only", async () => {
  const one = await insertHost(app);
  const other = await insertHost(app);
  const hostIds = [one, MISSING, other];
  const assigning = {
    operation: "assign",
    hostIds,
    userId: client.id,
    assignedExpireTime: now() + 30 * DAY_SECONDS + PART_OF_DAY,
  };
  const missing = { ok: false, code: "NOT_FOUND", message: "主机不存在或已无权查看" };
  expect(await batch(assigning)).toMatchObject([{ ok: true }, missing, { ok: true }]);
  expect((await client.get("/api/hosts")).data.pagination.total).toBe(2);
  const { id: userId } = await app.account("admin");
  expect(await batch({ ...assigning, hostIds: [one], userId })).toMatchObject([
    { ok: false, code: "INVALID_INPUT", message: "请选择一个启用中的客户用户" },
  ]);
  const unassigning = { operation: "unassign", hostIds, userId: client.id };
  for (const ok of [true, false]) {
    expect(await batch(unassigning)).toMatchObject([{ ok }, missing, { ok }]);
    expect((await client.get("/api/hosts")).data.pagination.total).toBe(0);
  }
});

it("deleting a client ends its assignments and cancels its pending requests", async () => {
  await assign(app, hostId, client.id);
  const contacts = { email: "k@example.com", phone: "13900001111" };
  await app.root.put(`/api/users/${client.id}`, contacts);
  await unassign(app, hostId, client.id);
  await app.database.query("update assignments set ended_at = ended_at - 100");
  const [earlier] = await app.database.query("select id, ended_at from assignments");
  await assign(app, hostId, client.id);
  const completed = await renewalIn(app, { client, hostId }, "completed");
  const rejected = await renewalIn(app, { client, hostId }, "rejected");
  const pending = await requestRenewal(client, hostId);
  const { user, assignedExpireTime } = await requestOf(completed);
  expect(user).toMatchObject({ username: client.username, ...contacts });
  const deleted = await app.root.delete(`/api/users/${client.id}`);
  expect([deleted.status, deleted.data]).toEqual([200, {}]);
  expect(await app.root.delete(`/api/users/${client.id}`)).toMatchObject(NOT_FOUND);
  expect(await app.root.get(`/api/users/${client.id}`)).toMatchObject(NOT_FOUND);

  expect((await app.root.get(`/api/hosts/${hostId}`)).data.users).toEqual([]);
  expect(idsOf(await app.root.get("/api/hosts?assigned=true"))).toEqual([]);
  const rows = await app.database.query(
    "select id, user_username, ended_at from assignments order by ended_at",
  );
  const user_username = client.username;
  expect(rows).toMatchObject([{ ...earlier, user_username }, { user_username }]);
  expect(Math.abs(Number(rows[1]?.ended_at) - now())).toBeLessThan(60);

  expect(await requestOf(pending)).toMatchObject({ status: "cancelled", user, assignedExpireTime });
  expect(await requestOf(completed)).toMatchObject({
    status: "completed",
    user,
    assignedExpireTime,
  });
  const late = await app.root.put(`/api/renewals/${pending}/process`, { status: "completed" });
  expect(late).toMatchObject(STATE_CONFLICT);
  const found = await app.root.get(`/api/renewals?search=${client.username}`);
  expect(idsOf(found)).toEqual([pending, rejected, completed]);

  const next = await app.account("client", { username: client.username });
  expect(idsOf(await next.get("/api/hosts"))).toEqual([]);
  expect(idsOf(await next.get("/api/renewals"))).toEqual([]);
});
