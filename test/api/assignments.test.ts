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
import { assertOk } from "../harness/rest.ts";

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
  it("stores the period, the remark, and who assigned it", async () => {
    const period = { assignedAt: now(), assignedExpireTime: now() + 30 * DAY_SECONDS };

    const answer = await post({ ...period, remark: "合同 2026-17" });

    const { id, username } = client;
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ id: hostId, users: [{ id, username, ...period }] });
    expect(await liveAssignments()).toMatchObject([
      { remark: "合同 2026-17", user_username: username, assigned_by: app.root.id },
    ]);
  });

  it("shows the host to the client", async () => {
    await post();

    expect(idsOf(await client.get("/api/hosts"))).toEqual([hostId]);
  });

  it("to the same client again changes the end and keeps the remark", async () => {
    await post({ remark: "合同 2026-17" });
    const assignedExpireTime = now() + 60 * DAY_SECONDS + PART_OF_DAY;

    const { data } = await post({ assignedExpireTime });

    expect(data.users).toMatchObject([{ assignedExpireTime }]);
    expect(await liveAssignments()).toMatchObject([{ remark: "合同 2026-17" }]);
  });

  it.each(["", null])("again with the remark %j removes the stored one", async (remark) => {
    await post({ remark: "合同 2026-17" });

    await post({ remark });

    expect(await liveAssignments()).toMatchObject([{ remark: null }]);
  });

  it("begins now when no start is given, and forgives a clock that is minutes ahead", async () => {
    const assignedExpireTime = now() + 365 * DAY_SECONDS + 240;

    const { data } = await post({ assignedAt: undefined, assignedExpireTime });

    expect(Math.abs(data.users[0].assignedAt - now())).toBeLessThan(60);
    expect(data.users).toMatchObject([{ assignedExpireTime }]);
  });

  describe("by a caller who names the end that it saw", () => {
    const seen = () => now() + 30 * DAY_SECONDS + PART_OF_DAY;
    const next = () => now() + 90 * DAY_SECONDS + PART_OF_DAY;

    it("changes an assignment that still has that end", async () => {
      const expectedExpireTime = seen();
      await post({ assignedExpireTime: expectedExpireTime });

      const answer = await post({ assignedExpireTime: next(), expectedExpireTime });

      expect(answer.status).toBe(200);
    });

    it("rejects a change from a caller who has not seen the current assignment", async () => {
      const expectedExpireTime = seen();
      const current = next();
      await post({ assignedExpireTime: current });

      const refused = await post({ remark: "晚了一步", expectedExpireTime });

      const message = expect.stringContaining("有效期已被改动");
      expect(refused).toMatchObject({ status: 409, data: { code: "STATE_CONFLICT", message } });
      expect(await liveAssignments()).toMatchObject([
        { assigned_expire_time: String(current), remark: null },
      ]);
    });

    it("rejects it as well once the assignment has ended", async () => {
      const expectedExpireTime = seen();
      await post({ assignedExpireTime: expectedExpireTime });
      await unassign(app, hostId, client.id);

      const refused = await post({ assignedExpireTime: next(), expectedExpireTime });

      expect(refused).toMatchObject(STATE_CONFLICT);
      expect(await liveAssignments()).toEqual([]);
    });

    it("does not find a host that does not exist", async () => {
      const refused = await post({ hostId: MISSING, expectedExpireTime: seen() });

      expect(refused).toMatchObject(NOT_FOUND);
    });
  });

  describe("whose stored end lies beyond 365 days, as renewals make it", () => {
    let stored: number;

    beforeEach(async () => {
      stored = now() + 500 * DAY_SECONDS + PART_OF_DAY;
      await post();
      await app.database.query("update assignments set assigned_expire_time = $1", [stored]);
    });

    it("keeps that end", async () => {
      const kept = await post({ assignedExpireTime: stored, remark: "续费后" });

      expect([kept.status, kept.data.users[0].assignedExpireTime]).toEqual([200, stored]);
    });

    it("allows neither a later end, nor a start at that end, nor it for another", async () => {
      const other = await app.account("client");

      for (const more of [
        { assignedExpireTime: stored + 1 },
        { assignedAt: stored, assignedExpireTime: stored },
        { userId: other.id, assignedExpireTime: stored },
      ]) {
        expect([more, await post(more)]).toMatchObject([more, INVALID]);
      }
    });
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

    expect(await liveAssignments()).toEqual([]);
  });

  it("names the field of a wrong end, and says which periods are allowed", async () => {
    const { data } = await post({ assignedExpireTime: now() + 366 * DAY_SECONDS });

    const message = "分配天数必须在1-365天之间";
    expect(data).toMatchObject({ message, errors: [{ field: "assignedExpireTime", message }] });
  });

  it("is refused to all but active clients", async () => {
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
  });

  it("is refused for a host that is missing or gone", async () => {
    const gone = await insertHost(app, { gone_at: 1_790_000_000 });

    expect(await post({ hostId: MISSING })).toMatchObject(NOT_FOUND);
    expect(await post({ hostId: gone })).toMatchObject(STATE_CONFLICT);
  });
});

describe("unassigning a host", () => {
  it("ends the assignment, keeps its history and allows a new assignment", async () => {
    await assign(app, hostId, client.id);

    const answer = await unassign(app, hostId, client.id);

    expect([answer.status, answer.data.id, answer.data.users]).toEqual([200, hostId, []]);
    expect((await client.get(`/api/hosts/${hostId}`)).status).toBe(404);
    await assign(app, hostId, client.id);
    expect(await liveAssignments()).toHaveLength(1);
    expect(await app.database.query("select id from assignments")).toHaveLength(2);
  });

  it("finds no assignment of another host or another client", async () => {
    await assign(app, hostId, client.id);
    const other = await insertHost(app);

    const answers = [
      await unassign(app, other, client.id),
      await unassign(app, MISSING, client.id),
      await unassign(app, hostId, MISSING),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await liveAssignments()).toHaveLength(1);
  });

  it("cancels the client's pending request for the host and no other", async () => {
    const other = await app.account("client");
    const otherHost = await insertHost(app);
    await assign(app, hostId, client.id);
    await assign(app, hostId, other.id);
    await assign(app, otherHost, client.id);
    const rejected = await renewalIn(app, { client, hostId }, "rejected");
    const pending = await requestRenewal(client, hostId);
    const left = [await requestRenewal(other, hostId), await requestRenewal(client, otherHost)];
    const { assignedExpireTime } = await requestOf(pending);

    await assertOk(unassign(app, hostId, client.id));

    expect(await requestOf(pending)).toMatchObject({
      status: "cancelled",
      processedBy: null,
      assignedExpireTime,
    });
    expect((await requestOf(rejected)).status).toBe("rejected");
    expect((await pendingIds()).toSorted()).toEqual(left.toSorted());
  });

  it("in a batch without a client ends all assignments and requests of the hosts", async () => {
    const other = await app.account("client");
    const otherHost = await insertHost(app);
    await assign(app, hostId, other.id);
    await assign(app, otherHost, client.id);
    await requestRenewal(other, hostId);
    await requestRenewal(client, otherHost);
    const hostIds = [hostId, otherHost];

    const results = await batch({ operation: "unassign", hostIds });

    expect(results).toEqual(hostIds.map((id) => ({ hostId: id, ok: true })));
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

describe("a batch of hosts, of which one is missing", () => {
  const missing = { ok: false, code: "NOT_FOUND", message: "主机不存在或已无权查看" };
  let hostIds: readonly string[];

  beforeEach(async () => {
    hostIds = [hostId, MISSING, await insertHost(app)];
  });

  const assignTo = (userId: string) =>
    batch({
      operation: "assign",
      hostIds,
      userId,
      assignedExpireTime: now() + 30 * DAY_SECONDS + PART_OF_DAY,
    });
  const countHosts = async () => (await client.get("/api/hosts")).data.pagination.total;

  it("is assigned each on its own", async () => {
    const results = await assignTo(client.id);

    expect(results).toMatchObject([{ ok: true }, missing, { ok: true }]);
    expect(await countHosts()).toBe(2);
  });

  it("is unassigned each on its own, and then has nothing to end", async () => {
    await assignTo(client.id);
    const unassigning = { operation: "unassign", hostIds, userId: client.id };

    const first = await batch(unassigning);
    const second = await batch(unassigning);

    expect(first).toMatchObject([{ ok: true }, missing, { ok: true }]);
    expect(second).toMatchObject([{ ok: false }, missing, { ok: false }]);
    expect(await countHosts()).toBe(0);
  });

  it("is assigned to no admin", async () => {
    const admin = await app.account("admin");

    const [refused] = await assignTo(admin.id);

    const message = "请选择一个启用中的C端用户";
    expect(refused).toMatchObject({ ok: false, code: "INVALID_INPUT", message });
  });
});

describe("deleting a client", () => {
  const remove = () => app.root.delete(`/api/users/${client.id}`);

  beforeEach(() => assign(app, hostId, client.id));

  it("answers with nothing, and the client is not found any more", async () => {
    const deleted = await remove();

    expect([deleted.status, deleted.data]).toEqual([200, {}]);
    expect(await app.root.get(`/api/users/${client.id}`)).toMatchObject(NOT_FOUND);
    expect(await remove()).toMatchObject(NOT_FOUND);
  });

  it("ends its assignments now, and leaves those that had ended as they were", async () => {
    await unassign(app, hostId, client.id);
    await app.database.query("update assignments set ended_at = ended_at - 100");
    const [earlier] = await app.database.query("select id, ended_at from assignments");
    await assign(app, hostId, client.id);

    await remove();

    const user_username = client.username;
    const rows = await app.database.query(
      "select id, user_username, ended_at from assignments order by ended_at",
    );
    expect(rows).toMatchObject([{ ...earlier, user_username }, { user_username }]);
    expect(Math.abs(Number(rows[1]?.ended_at) - now())).toBeLessThan(60);
  });

  it("leaves its hosts without a user", async () => {
    await remove();

    expect((await app.root.get(`/api/hosts/${hostId}`)).data.users).toEqual([]);
    expect(idsOf(await app.root.get("/api/hosts?assigned=true"))).toEqual([]);
  });

  it("cancels its pending requests, which nobody can complete then", async () => {
    const pending = await requestRenewal(client, hostId);

    await remove();

    expect(await requestOf(pending)).toMatchObject({ status: "cancelled" });
    const late = await app.root.put(`/api/renewals/${pending}/process`, { status: "completed" });
    expect(late).toMatchObject(STATE_CONFLICT);
  });

  it("keeps its requests, each with the person and the end that it had", async () => {
    const contacts = { email: "k@example.com", phone: "13900001111" };
    await app.root.put(`/api/users/${client.id}`, contacts);
    const completed = await renewalIn(app, { client, hostId }, "completed");
    const rejected = await renewalIn(app, { client, hostId }, "rejected");
    const pending = await requestRenewal(client, hostId);
    const { user, assignedExpireTime } = await requestOf(completed);

    await remove();

    const found = await app.root.get(`/api/renewals?search=${client.username}`);
    expect(idsOf(found)).toEqual([pending, rejected, completed]);
    expect(user).toMatchObject({ username: client.username, ...contacts });
    expect(await requestOf(completed)).toMatchObject({
      status: "completed",
      user,
      assignedExpireTime,
    });
    expect(await requestOf(pending)).toMatchObject({ user, assignedExpireTime });
  });

  it("leaves nothing to the next client of its username", async () => {
    await requestRenewal(client, hostId);
    await remove();

    const next = await app.account("client", { username: client.username });

    expect(idsOf(await next.get("/api/hosts"))).toEqual([]);
    expect(idsOf(await next.get("/api/renewals"))).toEqual([]);
  });
});
