import { beforeEach, describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import {
  assign,
  decide,
  failureOf,
  idsOf,
  insertHost,
  MISSING,
  now,
  requestRenewal,
} from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";

/** At the present: the harness assigns by the clock of the machine. */
const clock = fixedClock(now());
const app = useApp({ overrides: { clock }, config: { session: { ttl: 9e9, idle: 9e9 } } });
beforeEach(clock.rewind);
const team = useTeam(app);
let hostId: string;

beforeEach(async () => {
  hostId = await insertHost(app);
});

const send = (account: Account | typeof app.root, more: object = {}) =>
  account.post("/api/hosts/batch", {
    operation: "transfer",
    hostIds: [hostId],
    fromUserId: team.client.id,
    userId: team.otherClient.id,
    ...more,
  });
const transfer = async (more: object = {}) => (await send(app.root, more)).data.results;
const usersOf = async (id = hostId) => (await app.root.get(`/api/hosts/${id}`)).data.users;
const statusOf = async (id: string) => (await app.root.get(`/api/renewals/${id}`)).data.status;
const done = () => [{ hostId, ok: true }];
const failed = (code: string, message: string) => [{ hostId, ok: false, code, message }];

describe("a transfer", () => {
  it("ends the assignment of the first, and that of the other begins with the same end", async () => {
    const { assignedExpireTime } = await assign(app, hostId, team.client.id);
    clock.forward(3 * 3600 + 7);

    expect(await transfer()).toEqual(done());

    const period = { assignedAt: clock.now(), assignedExpireTime };
    expect(await usersOf()).toMatchObject([{ id: team.otherClient.id, ...period }]);
    expect(idsOf(await team.client.get("/api/hosts"))).toEqual([]);
    expect(idsOf(await team.otherClient.get("/api/hosts"))).toEqual([hostId]);
    const history = await app.root.get(`/api/users/${team.client.id}/assignments`);
    expect(history.data.assignments).toMatchObject([{ endedAt: clock.now(), assignedExpireTime }]);
  });

  it("is refused for admins and clients", async () => {
    await assign(app, hostId, team.client.id);

    for (const account of [team.admin, team.otherAdmin, team.client, team.otherClient]) {
      expect(failureOf(await send(account))).toEqual([403, "FORBIDDEN"]);
    }

    expect(await usersOf()).toMatchObject([{ id: team.client.id }]);
  });

  it("ends at a given time, or a number of days from now, sooner or later than before", async () => {
    const ends = [
      [{ assignedExpireTime: now() + 9 * DAY_SECONDS + 411 }, now() + 9 * DAY_SECONDS + 411],
      [{ days: 90 }, clock.now() + 90 * DAY_SECONDS],
    ] as const;
    for (const [given, assignedExpireTime] of ends) {
      const id = await insertHost(app);
      await assign(app, id, team.client.id);

      await transfer({ hostIds: [id], ...given });

      expect(await usersOf(id)).toMatchObject([{ id: team.otherClient.id, assignedExpireTime }]);
    }
  });

  it("cancels the open requests of the first, and keeps those of the other", async () => {
    for (const { id } of [team.client, team.otherClient]) await assign(app, hostId, id);
    const cancelled = await requestRenewal(team.client, hostId);
    await decide(app, cancelled, "approved");
    const kept = await requestRenewal(team.otherClient, hostId);

    expect(await transfer()).toEqual(done());

    expect([await statusOf(cancelled), await statusOf(kept)]).toEqual(["cancelled", "pending"]);
  });

  it("keeps a later end of a client who has the host already, and its start", async () => {
    await assign(app, hostId, team.client.id, { to: 29 * DAY_SECONDS + 411 });
    const period = await assign(app, hostId, team.otherClient.id, { to: 60 * DAY_SECONDS + 411 });

    expect(await transfer({ days: 30 })).toEqual(done());

    expect(await usersOf()).toMatchObject([{ id: team.otherClient.id, ...period }]);
  });

  it("moves an earlier end of a client who has the host already", async () => {
    const { assignedExpireTime } = await assign(app, hostId, team.client.id);
    const { assignedAt } = await assign(app, hostId, team.otherClient.id, {
      to: 5 * DAY_SECONDS + 411,
    });

    expect(await transfer()).toEqual(done());

    const period = { assignedAt, assignedExpireTime };
    expect(await usersOf()).toMatchObject([{ id: team.otherClient.id, ...period }]);
  });

  it("begins an assignment now that the other client would have had later", async () => {
    await assign(app, hostId, team.client.id);
    await assign(app, hostId, team.otherClient.id, {
      from: 2 * DAY_SECONDS,
      to: 60 * DAY_SECONDS + 411,
    });

    expect(await transfer()).toEqual(done());

    expect(await usersOf()).toMatchObject([{ assignedAt: clock.now() }]);
    expect(idsOf(await team.otherClient.get("/api/hosts"))).toEqual([hostId]);
  });

  it("keeps an end beyond 365 days that renewals made", async () => {
    await assign(app, hostId, team.client.id);
    const assignedExpireTime = now() + 500 * DAY_SECONDS + 411;
    await app.database.query("update assignments set assigned_expire_time = $1", [
      assignedExpireTime,
    ]);

    expect(await transfer()).toEqual(done());

    expect(await usersOf()).toMatchObject([{ assignedExpireTime }]);
  });

  it("of an assignment past its end needs a new end", async () => {
    await assign(app, hostId, team.client.id, { from: -9 * DAY_SECONDS, to: -DAY_SECONDS - 411 });

    const hasExpired = "原用户的分配已到期，请填写新的到期时间或分配天数";
    expect(await transfer()).toEqual(failed("STATE_CONFLICT", hasExpired));
    expect(await usersOf()).toMatchObject([{ id: team.client.id }]);

    expect(await transfer({ days: 30 })).toEqual(done());
    expect(await usersOf()).toMatchObject([{ id: team.otherClient.id }]);
  });

  it("of an assignment that ends this second needs a new end, too", async () => {
    await assign(app, hostId, team.client.id);
    await app.database.query("update assignments set assigned_expire_time = $1", [clock.now()]);

    const [result] = await transfer();

    expect(result).toMatchObject({ ok: false, code: "STATE_CONFLICT" });
    expect(await usersOf()).toMatchObject([{ id: team.client.id }]);
  });

  it("fails for hosts that the first has not, and moves the others", async () => {
    const foreign = await insertHost(app);
    await assign(app, hostId, team.client.id);

    const results = await transfer({ hostIds: [MISSING, foreign, hostId] });

    const notFound = { ok: false, code: "NOT_FOUND" };
    expect(results).toMatchObject([
      { hostId: MISSING, ...notFound, message: "主机不存在或已无权查看" },
      { hostId: foreign, ...notFound, message: "该主机没有分配给原用户，请刷新后重试" },
      ...done(),
    ]);
  });

  it("of a host that is gone changes nothing", async () => {
    await assign(app, hostId, team.client.id);
    const request = await requestRenewal(team.client, hostId);
    await app.database.query("update hosts set gone_at = 1780000000");

    const isGone = "主机在云服务商处已不存在，不能转移";
    expect(await transfer()).toEqual(failed("STATE_CONFLICT", isGone));

    expect(await usersOf()).toMatchObject([{ id: team.client.id }]);
    expect(await statusOf(request)).toBe("pending");
  });

  it("goes to another, active client only, and to an end within 365 days", async () => {
    await assign(app, hostId, team.client.id);
    const disabled = await app.account("client");
    await app.root.put(`/api/users/${disabled.id}`, { isActive: false });

    const noActiveClient = "请选择一个启用中的C端用户";
    const wrongDays = "分配天数必须在1-365天之间";
    for (const [wrong, message] of [
      [{ userId: team.client.id }, "接收的用户不能与原用户相同"],
      [{ userId: team.admin.id }, noActiveClient],
      [{ userId: disabled.id }, noActiveClient],
      [{ userId: MISSING }, noActiveClient],
      [{ assignedExpireTime: now() + 400 * DAY_SECONDS + 411 }, wrongDays],
      [{ assignedExpireTime: now() + 3617 }, wrongDays],
    ] as const) {
      expect(await transfer(wrong)).toEqual(failed("INVALID_INPUT", message));
    }

    expect(await usersOf()).toMatchObject([{ id: team.client.id }]);
  });

  it("names the host and each client in its events", async () => {
    await assign(app, hostId, team.client.id);
    const request = await requestRenewal(team.client, hostId);
    const [newest] = await app.database.query("select max(id) as id from events");

    await transfer();

    const events = await app.database.query(
      `select type, payload as data from events
       where id > $1 and type <> 'notice.created' order by id`,
      [newest?.id],
    );
    const changed = ({ id: userId }: Account) => [
      { type: "hosts.changed", data: { configId: null, hostIds: [hostId], userId } },
      { type: "assignment.changed", data: { hostId, userId } },
    ];
    expect(events).toEqual([
      { type: "renewal.cancelled", data: { renewalId: request, status: "cancelled" } },
      ...changed(team.client),
      ...changed(team.otherClient),
    ]);
  });

  itOnPostgresql("and one in the other direction at once both succeed", async () => {
    const other = await insertHost(app);
    await assign(app, hostId, team.client.id);
    await assign(app, other, team.otherClient.id);
    await using lock = await holdLock(app.database, "select from users where id = $1 for update", [
      team.client.id,
    ]);

    const there = transfer();
    await lock.awaited(1);
    const back = transfer({
      hostIds: [other],
      fromUserId: team.otherClient.id,
      userId: team.client.id,
    });
    await lock.awaited(2);
    await lock.release();

    expect(await there).toEqual(done());
    expect(await back).toEqual([{ hostId: other, ok: true }]);
    expect(await usersOf()).toMatchObject([{ id: team.otherClient.id }]);
    expect(await usersOf(other)).toMatchObject([{ id: team.client.id }]);
  });
});
