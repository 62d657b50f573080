import { beforeEach, describe, expect, it } from "vitest";
import type { RenewalDecision } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { makeToken } from "../harness/api-tokens.ts";
import { type Account, useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import {
  buildChannel,
  clientWithHost,
  decide,
  expiryOf,
  failureOf,
  type Holding,
  insertHosts,
  MISSING,
  renewalIn,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import { overlapping } from "../harness/hold-lock.ts";
import { noticesOf } from "../harness/inbox.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";

const FOREVER = { ttl: 1e9, idle: 1e9 };
const MINUTES_10 = 600;
const clock = fixedClock(Math.floor(Date.now() / 1000));
const app = useApp({ overrides: { clock }, config: { session: FOREVER } });
let holding: Holding;

beforeEach(async () => {
  clock.rewind();
  holding = await clientWithHost(app, { name: "网站-1" });
});

const undo = (id: string, by: RestClient = app.root) => by.post(`/api/renewals/${id}/undo`, {});
const read = async (id: string, by: RestClient = app.root) =>
  (await assertOk(by.get(`/api/renewals/${id}`))).data;
const process = (id: string, body: object, by: RestClient = app.root) =>
  assertOk(by.put(`/api/renewals/${id}/process`, body));
const messageOf = async (id: string) => (await undo(id)).data.message;

describe("undoing a decision", () => {
  it("takes a completed request back to pending and its end to what it was", async () => {
    const { client, hostId, expiry } = holding;
    const id = await renewalIn(app, holding, "completed");

    const answer = await undo(id);

    expect(answer).toMatchObject({
      status: 200,
      data: {
        id,
        status: "pending",
        adminRemark: null,
        processedAt: null,
        processedBy: null,
        undoableUntil: null,
        assignedExpireTime: expiry,
      },
    });
    expect(await expiryOf(app, hostId, client)).toBe(expiry);
    expect(await read(id)).toEqual(answer.data);
  });

  it.each(["completed", "rejected"] as const)(
    "takes a %s request back to its approval, with person, time and remark",
    async (decision) => {
      const { client, hostId, expiry } = holding;
      const boss = await app.account("super_admin");
      const id = await requestRenewal(client, hostId);
      await process(id, { status: "approved", adminRemark: "请付款" }, boss);
      const approved = await read(id);
      clock.forward(60);
      await decide(app, id, decision);

      await undo(id);

      expect(await read(id)).toEqual({ ...approved, undoneDecisions: [expect.anything()] });
      expect(await expiryOf(app, hostId, client)).toBe(expiry);
    },
  );

  it.each(["approved", "rejected"] as const)("takes a %s request back to pending", async (is) => {
    const id = await renewalIn(app, holding, is);

    const { data } = await undo(id);

    expect(data).toMatchObject({ status: "pending", processedAt: null, adminRemark: null });
  });

  it("may be followed by undoing the decision before, and by other decisions", async () => {
    const { client, hostId, expiry } = holding;
    const id = await renewalIn(app, holding, "approved");
    await decide(app, id, "completed");

    const statuses = [(await undo(id)).data.status, (await undo(id)).data.status];
    await decide(app, id, "completed");

    expect(statuses).toEqual(["approved", "pending"]);
    expect(await expiryOf(app, hostId, client)).toBe(expiry + 30 * DAY_SECONDS);
    expect((await undo(id)).data).toMatchObject({ status: "pending", assignedExpireTime: expiry });
  });

  it("takes an end back that had passed when the request was completed", async () => {
    const { client, hostId, expiry } = holding;
    clock.forward(expiry - clock.now() + DAY_SECONDS);
    const id = await renewalIn(app, holding, "completed");

    await undo(id);

    expect(await expiryOf(app, hostId, client)).toBe(expiry);
  });

  it("works on a request whose host is gone at the provider meanwhile", async () => {
    const id = await renewalIn(app, holding, "completed");
    await app.database.query("update hosts set gone_at = $1", [clock.now()]);

    expect((await undo(id)).data.status).toBe("pending");
  });

  it("of the later of two completed requests leaves the end to the earlier one", async () => {
    const { client, hostId, expiry } = holding;
    const first = await renewalIn(app, holding, "completed");
    const second = await renewalIn(app, holding, "completed");

    const early = await undo(first);
    await undo(second);
    await decide(app, second, "rejected");
    await undo(first);

    expect(failureOf(early)).toEqual([409, "STATE_CONFLICT"]);
    expect(await expiryOf(app, hostId, client)).toBe(expiry);
  });

  it("is in the audit log with what it changed", async () => {
    const { client, hostId, expiry } = holding;
    const id = await renewalIn(app, holding, "completed");

    await undo(id);

    const { data } = await app.root.get("/api/audit?action=renewals.undo");
    const name = `${client.username}的姓名`;
    expect(data.entries).toMatchObject([
      {
        outcome: "ok",
        subject: { type: "host", id: hostId },
        changes: [
          { field: "user", from: name, to: name },
          { field: "status", from: "completed", to: "pending" },
          { field: "adminRemark", from: "已核对", to: null },
          { field: "assignedExpireTime", from: expiry + 30 * DAY_SECONDS, to: expiry },
        ],
      },
    ]);
  });
});

describe("a decision is undone within ten minutes", () => {
  it("the last second of them included", async () => {
    const id = await renewalIn(app, holding, "completed");
    clock.forward(MINUTES_10);

    const { data } = await undo(id);

    expect(data.status).toBe("pending");
  });

  it.each([
    ["approved", "如不再续费，请关闭该申请"],
    ["rejected", "如需续费，请用户重新申请"],
    ["completed", "请直接修改该主机的有效期"],
  ] as const)("and a second later a %s one is kept, with the way on", async (status, wayOn) => {
    const id = await renewalIn(app, holding, status);
    clock.forward(MINUTES_10 + 1);

    const late = await undo(id);

    expect(late).toMatchObject({
      status: 409,
      data: { code: "STATE_CONFLICT", message: `处理已超过 10 分钟，不能撤销；${wayOn}` },
    });
    expect(await read(id)).toMatchObject({ status, undoableUntil: null });
  });

  it("and the request says until when, to super admins alone", async () => {
    const admin = await app.account("admin");
    await app.root.put(`/api/users/${holding.client.id}`, { adminId: admin.id });
    const id = await renewalIn(app, holding, "approved");
    const until = clock.now() + MINUTES_10;
    const seenBy = async (user: RestClient) => (await read(id, user)).undoableUntil;

    const atOnce = [await seenBy(app.root), await seenBy(admin), await seenBy(holding.client)];
    clock.forward(MINUTES_10);
    const atTheEnd = await seenBy(app.root);
    clock.forward(1);

    expect(atOnce).toEqual([until, null, null]);
    expect(atTheEnd).toBe(until);
    expect(await seenBy(app.root)).toBeNull();
  });

  it("and not while its time lies in a future that a wrong clock wrote", async () => {
    const id = await renewalIn(app, holding, "approved");
    await app.database.query("update renewals set processed_at = $1", [clock.now() + DAY_SECONDS]);

    expect(failureOf(await undo(id))).toEqual([409, "STATE_CONFLICT"]);
    expect((await read(id)).undoableUntil).toBeNull();
  });
});

describe("a decision stays", () => {
  it.each([
    ["pending", "该申请没有可以撤销的处理：可能尚未处理，或已由他人撤销。请刷新后查看"],
    ["cancelled", "该申请已取消，没有可以撤销的处理；如需续费，请用户重新申请"],
  ] as const)("where there is none: the request is %s", async (status, message) => {
    const id = await renewalIn(app, holding, status);

    expect(await messageOf(id)).toBe(message);
    expect((await read(id)).status).toBe(status);
  });

  it("when a person moved the end of the completed request since", async () => {
    const { client, hostId, expiry } = holding;
    const id = await renewalIn(app, holding, "completed");
    const moved = expiry + 10 * DAY_SECONDS;
    const input = { hostId, userId: client.id, assignedExpireTime: moved };
    await assertOk(app.root.post("/api/hosts/assign", input));

    expect(await messageOf(id)).toBe(
      "该主机的有效期在完成续费后又改动过，不能撤销；请直接修改该主机的有效期",
    );
    expect(await expiryOf(app, hostId, client)).toBe(moved);
    expect((await read(id)).status).toBe("completed");
  });

  it("when the start was moved behind the former end", async () => {
    const { client, hostId, expiry } = holding;
    const id = await renewalIn(app, holding, "completed");
    const assignedExpireTime = expiry + 30 * DAY_SECONDS;
    const input = { hostId, userId: client.id, assignedAt: expiry, assignedExpireTime };
    await assertOk(app.root.post("/api/hosts/assign", input));

    expect(failureOf(await undo(id))).toEqual([409, "STATE_CONFLICT"]);
  });

  it.each(["completed", "rejected"] as const)(
    "when the host of a %s request was taken back, and also when it was given again",
    async (status) => {
      const { client, hostId } = holding;
      const id = await renewalIn(app, holding, status);
      await unassign(app, hostId, client.id);
      const message = "该主机的分配已结束，不能撤销；若用户仍需使用，请重新分配主机";
      const afterTakeBack = await messageOf(id);

      await assertOk(app.root.post("/api/hosts/assign", { hostId, userId: client.id, days: 30 }));

      expect([afterTakeBack, await messageOf(id)]).toEqual([message, message]);
      expect((await read(id)).status).toBe(status);
    },
  );

  it.each(["completed", "rejected"] as const)(
    "when the client of a %s request has another open one",
    async (status) => {
      const id = await renewalIn(app, holding, status);
      await renewalIn(app, holding, "approved");

      expect(await messageOf(id)).toBe(
        "该用户对该主机已有另一个未完成的续费申请，不能撤销；请处理那个申请",
      );
    },
  );

  it("when a version made it that recorded nobody, and no former end", async () => {
    const id = await renewalIn(app, holding, "completed");
    await app.database.query("delete from host_acts where kind = 'assignment_changed'");
    const withoutEnd = await messageOf(id);
    await app.database.query("delete from host_acts where kind = 'renewal_completed'");

    const message = "该次处理由旧版本完成，没有处理前的记录，不能撤销；请直接修改该主机的有效期";
    expect([withoutEnd, await messageOf(id)]).toEqual([message, message]);
  });

  it("when the request does not exist", async () => {
    expect(failureOf(await undo(MISSING))).toEqual([404, "NOT_FOUND"]);
  });
});

describe("undone by a caller who names the decision that it saw", () => {
  const saw = (id: string, expectedStatus: RenewalDecision) =>
    app.root.post(`/api/renewals/${id}/undo`, { expectedStatus });

  it("is a decision that still is the last one", async () => {
    const id = await renewalIn(app, holding, "approved");

    expect((await saw(id, "approved")).data.status).toBe("pending");
  });

  it("is not the decision of another person that came after it", async () => {
    const boss = await app.account("super_admin");
    const id = await renewalIn(app, holding, "approved");
    await process(id, { status: "rejected", adminRemark: "未付款" }, boss);

    const refused = await saw(id, "approved");

    const message = `该申请已由“${boss.username}”拒绝，本次操作未生效；请查看现在的状态后再决定`;
    expect(refused).toMatchObject({ status: 409, data: { code: "STATE_CONFLICT", message } });
    expect((await read(id)).status).toBe("rejected");
  });

  it("is nothing once somebody else has undone it", async () => {
    const id = await renewalIn(app, holding, "completed");
    await undo(id);

    const { data } = await saw(id, "completed");

    expect(data.message).toBe("该申请已恢复为待处理，本次操作未生效；请查看现在的状态后再决定");
  });
});

describe("the details of a decided request", () => {
  it.each([
    ["pending", "approved"],
    ["approved", "completed"],
  ] as const)("say that it becomes %s again where it is %s", async (former, is) => {
    const id = await renewalIn(app, holding, former);
    await decide(app, id, is);

    const details = await read(id);
    const { data: undone } = await undo(id);

    expect([details.undoneStatus, undone.status]).toEqual([former, former]);
  });

  it("do not offer what cannot be undone any more, as the list may", async () => {
    const { client, hostId } = holding;
    const id = await renewalIn(app, holding, "completed");
    await assertOk(app.root.post("/api/hosts/assign", { hostId, userId: client.id, days: 90 }));

    const details = await read(id);
    const { data: list } = await app.root.get("/api/renewals");

    expect(details.undoableUntil).toBeNull();
    expect(details).not.toHaveProperty("undoneStatus");
    expect(list.requests).toMatchObject([{ id, undoableUntil: clock.now() + MINUTES_10 }]);
  });

  it("tell nobody else what it would become", async () => {
    const id = await renewalIn(app, holding, "approved");

    expect(await read(id, holding.client)).not.toHaveProperty("undoneStatus");
  });
});

describe("who undoes", () => {
  it("are super admins, also another one than decided", async () => {
    const boss = await app.account("super_admin");
    const id = await renewalIn(app, holding, "rejected");

    expect((await undo(id, boss)).status).toBe(200);
  });

  it.each(["admin", "client"] as const)("is no %s", async (role) => {
    const id = await renewalIn(app, holding, "rejected");
    const person = role === "client" ? holding.client : await app.account(role);

    expect(failureOf(await undo(id, person))).toEqual([403, "FORBIDDEN"]);
    expect((await read(id)).status).toBe("rejected");
  });

  it("is a token with full scope, and none that only reads", async () => {
    const id = await renewalIn(app, holding, "rejected");
    const reader = await makeToken(app.url, app.root, { scope: "read" });
    const writer = await makeToken(app.url, app.root, { scope: "full" });

    const refused = await undo(id, reader.client);
    const done = await undo(id, writer.client);

    expect(failureOf(refused)).toEqual([403, "TOKEN_SCOPE"]);
    expect(done.data.status).toBe("pending");
  });
});

describe("the details of a request", () => {
  it("list the decisions that were undone, with who, when and what the request became", async () => {
    const boss = await app.account("super_admin");
    const id = await renewalIn(app, holding, "approved");
    await decide(app, id, "completed");
    await undo(id, boss);
    clock.forward(60);

    const { data } = await undo(id);

    const undone = (by: Account) => ({
      at: expect.any(Number),
      undoneBy: { id: by.id, name: expect.any(String) },
    });
    expect(data.undoneDecisions).toEqual([
      { ...undone(boss), decision: "completed", restoredStatus: "approved" },
      { ...undone(app.root), at: clock.now(), decision: "approved", restoredStatus: "pending" },
    ]);
    expect((await read(id)).undoneDecisions).toEqual(data.undoneDecisions);
  });

  it("do not tell clients who has undone a decision", async () => {
    const id = await renewalIn(app, holding, "rejected");
    await undo(id);

    const { undoneDecisions } = await read(id, holding.client);

    expect(undoneDecisions).toEqual([
      { decision: "rejected", restoredStatus: "pending", at: clock.now(), undoneBy: null },
    ]);
  });
});

describe("at once with others", () => {
  const lock = () => ({
    statement: "select from assignments where host_id = $1 for update",
    parameters: [holding.hostId],
  });

  it("twenty who undo one completion move the end back once", { timeout: 60_000 }, async () => {
    const { client, hostId, expiry } = holding;
    await renewalIn(app, holding, "completed");
    const id = await renewalIn(app, holding, "completed");

    const answers = await overlapping(app.database, lock(), () =>
      Array.from({ length: 20 }, () => undo(id)),
    );

    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(19).fill(409)]);
    expect(await expiryOf(app, hostId, client)).toBe(expiry + 30 * DAY_SECONDS);
    const acts = "select id from host_acts where kind = 'renewal_undone'";
    expect(await app.database.query(acts)).toHaveLength(1);
  });

  it.each<[string, (holder: Holding) => ReturnType<RestClient["post"]>]>([
    [
      "a new end",
      ({ hostId, client }) => app.root.post("/api/hosts/assign", later(hostId, client)),
    ],
    ["a take-back", ({ hostId, client }) => unassign(app, hostId, client.id)],
    [
      "a new request",
      ({ hostId, client }) => client.post("/api/renewals", { hostId, requestedDuration: 7 }),
    ],
  ])("the one that comes second to %s finds the other's result", async (_what, other) => {
    const id = await renewalIn(app, holding, "completed");

    const [undone] = await overlapping(app.database, lock(), () => [undo(id), other(holding)]);

    const { status } = await read(id);
    const open = await app.database.query(
      "select id from renewals where status in ('pending', 'approved')",
    );
    expect(open.length).toBeLessThanOrEqual(1);
    if (undone?.status === 409) expect(status).toBe("completed");
    else expect(["pending", "cancelled"]).toContain(status);
  });

  it("the one that comes second to a transfer finds the other's result", async () => {
    const { client, hostId, expiry } = holding;
    const id = await renewalIn(app, holding, "completed");
    const receiver = await app.account("client");
    const users = { fromUserId: client.id, userId: receiver.id };
    const transfer = () =>
      app.root.post("/api/hosts/batch", { operation: "transfer", hostIds: [hostId], ...users });

    const [undone, moved] = await overlapping(app.database, lock(), () => [undo(id), transfer()]);

    expect(moved?.data.results).toEqual([{ hostId, ok: true }]);
    const outcome = [(await read(id)).status, await expiryOf(app, hostId, receiver)];
    const wasFirst = undone?.status === 200;
    expect(outcome).toEqual(
      wasFirst ? ["cancelled", expiry] : ["completed", expiry + 30 * DAY_SECONDS],
    );
  });

  const later = (hostId: string, { id: userId }: Account) => ({ hostId, userId, days: 300 });
});

describe("what was told of an undone decision", () => {
  /** To a program; nothing is sent, because the channel is paused. */
  async function pausedChannel(types: readonly string[]): Promise<void> {
    await assertOk(app.root.post("/api/notice-channels", buildChannel({ types })));
    const pausedUntil = Math.floor(Date.now() / 1000) + 3_000;
    await app.database.query("update notice_channels set paused_until = $1", [pausedUntil]);
  }
  /** What groups and programs hear, the oldest first. */
  const messages = () =>
    app.database.query(
      "select status, group_message->'text'->>'title' as title from notice_deliveries order by id",
    );
  const typeOf = (status: RenewalDecision) => `renewal.${status}` as const;

  it.each(["approved", "rejected", "completed"] as const)(
    "is withdrawn and not told again while nobody has read that it is %s",
    async (status) => {
      const id = await renewalIn(app, holding, status);
      const before = await noticesOf(holding.client, typeOf(status));

      await undo(id);

      expect(before).toHaveLength(1);
      expect(await noticesOf(holding.client, typeOf(status))).toEqual([]);
    },
  );

  it.each([
    [
      "approved",
      "1 个续费申请的批准已撤销",
      "尚未付款的，请先不要付款。申请恢复为待处理，请以新的处理结果为准。",
    ],
    ["rejected", "1 个续费申请的拒绝已撤销", "申请恢复为待处理，请以新的处理结果为准。"],
    [
      "completed",
      "1 个续费申请的完成已撤销",
      "主机的到期时间恢复为续费前的时间。申请恢复为待处理，请以新的处理结果为准。",
    ],
  ] as const)("is corrected once the client has read that it is %s", async (status, ...words) => {
    const { client, hostId, expiry } = holding;
    const id = await renewalIn(app, holding, status);
    await client.post("/api/notices/read", { all: true });

    await undo(id);

    const [title, message] = words;
    expect(await noticesOf(client, typeOf(status))).toMatchObject([
      {
        title,
        message,
        severity: "warning",
        readAt: null,
        link: `/client/renewals?renewal=${id}`,
        items: [{ hostId, expireTime: expiry }],
      },
    ]);
  });

  it("is corrected when the client has deleted it", async () => {
    const id = await renewalIn(app, holding, "completed");
    const [notice] = await noticesOf(holding.client, "renewal.completed");
    await holding.client.delete(`/api/notices/${notice?.id}`);

    await undo(id);

    const titles = (await noticesOf(holding.client, "renewal.completed")).map(
      (notice) => notice.title,
    );
    expect(titles).toEqual(["1 个续费申请的完成已撤销"]);
  });

  it("leaves the other requests of its batch to their notice", async () => {
    const { client, hostId } = holding;
    const [otherHost = ""] = await insertHosts(app, [{}]);
    await assertOk(
      app.root.post("/api/hosts/assign", { hostId: otherHost, userId: client.id, days: 30 }),
    );
    const id = await requestRenewal(client, hostId);
    const other = await requestRenewal(client, otherHost);
    await app.root.put("/api/renewals/batch", { ids: [id, other], status: "approved" });

    await undo(id);

    expect(await noticesOf(client, "renewal.approved")).toMatchObject([
      {
        title: "1 个续费申请已批准",
        link: `/client/renewals?renewal=${other}`,
        items: [{ hostId: otherHost }],
      },
    ]);
  });

  it("is not sent any more to the groups for which it waits", async () => {
    await pausedChannel(["renewal.completed"]);
    const id = await renewalIn(app, holding, "completed");
    const before = await messages();

    await undo(id);

    expect(before).toEqual([{ status: "queued", title: null }]);
    expect(await messages()).toEqual([]);
  });

  it("is corrected in words of its own in the groups that have it", async () => {
    await pausedChannel(["renewal.completed"]);
    const id = await renewalIn(app, holding, "completed");
    await app.database.query(
      "update notice_deliveries set status = 'sent', attempts = 1, group_message = null",
    );
    // Ids of one second are in no order.
    clock.forward(1);

    await undo(id);

    expect(await messages()).toEqual([
      { status: "sent", title: null },
      { status: "queued", title: "1 个续费申请的完成已撤销" },
    ]);
  });

  it("is withdrawn and not corrected for a client that is disabled", async () => {
    const id = await renewalIn(app, holding, "approved");
    await holding.client.post("/api/notices/read", { all: true });
    await app.root.put(`/api/users/${holding.client.id}`, { isActive: false });

    await undo(id);

    const told = "select id from notices where type = 'renewal.approved'";
    expect(await app.database.query(told)).toEqual([]);
  });
});
