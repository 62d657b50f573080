import { beforeEach, describe, expect, it } from "vitest";
import { DECIDABLE_FROM, RenewalDecision, RenewalStatus } from "../../src/shared/renewals.ts";
import { MAX_UNIX_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import {
  assign,
  DAY,
  decide,
  expiryOf,
  failureOf,
  idsOf,
  insertHost,
  MISSING,
  now,
  renewalIn,
  requestRenewal,
} from "../harness/data.ts";

const app = useApp();
let client: Account;
let hostId: string;
/** Of the assignment that every test begins with. */
let expiry: number;

beforeEach(async () => {
  client = await app.account("client");
  hostId = await insertHost(app, { name: "网站-1", ucloud_id: "uhost-abc123" });
  expiry = (await assign(app, hostId, client.id)).assignedExpireTime;
});

const readAsRoot = async (id: string) => (await app.root.get(`/api/renewals/${id}`)).data;
const process = (id: string, body: object) => app.root.put(`/api/renewals/${id}/process`, body);
const rows = () => app.database.query("select id from renewals");

describe("requesting a renewal", () => {
  it("creates a pending request, returns the client's view of it and changes no date", async () => {
    await app.root.put(`/api/users/${client.id}`, { email: "k@example.com", phone: "13900001111" });
    const answer = await client.post("/api/renewals", { hostId, requestedDuration: 90, remark: "合同续签" });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      host: { id: hostId, name: "网站-1", ucloudId: "uhost-abc123", cpu: 4, memory: 8192, expireTime: expiry },
      user: {
        id: client.id,
        name: `${client.username}的姓名`,
        username: client.username,
        email: "k@example.com",
        phone: "13900001111",
      },
      requestedDuration: 90,
      status: "pending",
      remark: "合同续签",
      adminRemark: null,
      createdAt: expect.any(Number),
      processedAt: null,
      processedBy: null,
      assignedExpireTime: expiry,
    });
    expect(Math.abs(answer.data.createdAt - now())).toBeLessThan(5);
    expect((await client.get(`/api/renewals/${answer.data.id}`)).data).toEqual(answer.data);
    expect(await expiryOf(app, hostId, client)).toBe(expiry);
  });

  it("accepts 1 to 365 whole days", async () => {
    for (const requestedDuration of [1, 365]) {
      const { status, data } = await client.post("/api/renewals", { hostId, requestedDuration });
      expect([status, data.requestedDuration]).toEqual([201, requestedDuration]);
      await client.delete(`/api/renewals/${data.id}`);
    }
    for (const [requestedDuration, message] of [
      [0, "续费天数至少为1天"],
      [366, "续费天数最多为365天"],
      [1.5, "续费天数必须是整数"],
      ["30", "续费天数必须是整数"],
      [undefined, "续费天数必须是整数"],
    ]) {
      const { status, data } = await client.post("/api/renewals", { hostId, requestedDuration });
      expect([status, data.errors]).toEqual([400, [{ field: "requestedDuration", message }]]);
    }
  });

  it("accepts a remark of up to 500 characters or none", async () => {
    for (const [remark, kept] of [
      ["好".repeat(500), "好".repeat(500)],
      ["", null],
      [undefined, null],
    ]) {
      const { status, data } = await client.post("/api/renewals", { hostId, requestedDuration: 30, remark });
      expect([status, data.remark]).toEqual([201, kept]);
      await client.delete(`/api/renewals/${data.id}`);
    }
    const { status, data } = await client.post("/api/renewals", {
      hostId,
      requestedDuration: 30,
      remark: "好".repeat(501),
    });
    expect([status, data.errors[0].field]).toEqual([400, "remark"]);
  });

  it("is allowed for an assignment that has expired, and not for hosts of others, future, ended and missing assignments", async () => {
    const [expired, future, ended, foreign] = [
      await insertHost(app),
      await insertHost(app),
      await insertHost(app),
      await insertHost(app),
    ];
    await assign(app, expired, client.id, { from: -10 * DAY, to: -3 * DAY });
    await assign(app, future, client.id, { from: DAY, to: 30 * DAY });
    await assign(app, ended, client.id);
    await app.root.post("/api/hosts/unassign", { hostId: ended, userId: client.id });
    await assign(app, foreign, (await app.account("client")).id);
    for (const id of [future, ended, foreign, MISSING]) {
      const { status, data } = await client.post("/api/renewals", { hostId: id, requestedDuration: 30 });
      expect([status, data.code, data.message]).toEqual([404, "NOT_FOUND", "主机不存在"]);
    }
    expect(await rows()).toEqual([]);
    await requestRenewal(client, expired);
  });

  it("is refused while the client has a pending request for the host, and for no other host or client", async () => {
    await requestRenewal(client, hostId);
    const { status, data } = await client.post("/api/renewals", { hostId, requestedDuration: 7 });
    expect([status, data.code, data.message]).toEqual([
      409,
      "CONFLICT",
      "该主机已有待处理的续费申请，请等待处理或先取消",
    ]);
    const [otherHost, otherClient] = [await insertHost(app), await app.account("client")];
    await assign(app, otherHost, client.id);
    await assign(app, hostId, otherClient.id);
    await requestRenewal(client, otherHost);
    await requestRenewal(otherClient, hostId);
    expect(await rows()).toHaveLength(3);
  });

  it("is allowed again once the previous request is decided or cancelled", async () => {
    for (const status of ["approved", "rejected", "completed", "cancelled"] as const) {
      await renewalIn(app, { client, hostId }, status);
    }
    await requestRenewal(client, hostId);
    expect(await rows()).toHaveLength(5);
  });
});

describe("deciding a renewal request", () => {
  it.each(RenewalDecision.options)("as %s stores the time, the deciding user and the remark", async (status) => {
    const id = await requestRenewal(client, hostId);
    const answer = await process(id, { status, adminRemark: "见邮件" });
    expect(answer.status).toBe(200);
    const processedBy = { id: app.root.id, name: "系统管理员" };
    expect(answer.data).toMatchObject({ id, status, adminRemark: "见邮件", processedBy });
    expect(Math.abs(answer.data.processedAt - now())).toBeLessThan(5);
    expect(await readAsRoot(id)).toEqual(answer.data);
    expect((await client.get(`/api/renewals/${id}`)).data).toMatchObject({ status, processedBy: null });
  });

  it.each(RenewalStatus.options)("of a request that is %s follows the table of transitions", async (from) => {
    const by = `已由 ${(await app.root.get("/api/auth/me")).data.name} `;
    const outcomes = { approved: `${by}批准`, rejected: `${by}拒绝`, completed: `${by}完成`, cancelled: "已取消" };
    for (const to of RenewalDecision.options) {
      const id = await renewalIn(app, { client, hostId }, from);
      const answer = await decide(app, id, to);
      if (DECIDABLE_FROM[to].includes(from)) {
        expect([answer.status, answer.data.status]).toEqual([200, to]);
      } else {
        const message = from === "pending" ? null : `该申请${outcomes[from]}，本次操作未生效`;
        expect([from, to, ...failureOf(answer), answer.data.message]).toEqual([
          from,
          to,
          409,
          "STATE_CONFLICT",
          message,
        ]);
        expect((await readAsRoot(id)).status).toBe(from);
      }
    }
  });

  it("pending becomes approved, rejected or completed, approved becomes completed, and nothing else changes", () => {
    const table = { approved: ["pending"], rejected: ["pending"], completed: ["pending", "approved"] };
    expect(DECIDABLE_FROM).toEqual(table);
  });

  it("requires a status that a super admin may set, and a remark for a rejection", async () => {
    const id = await requestRenewal(client, hostId);
    for (const status of ["pending", "cancelled", "Approved", null, undefined]) {
      const { data, ...answer } = await process(id, { status, adminRemark: "x" });
      expect([answer.status, data.errors[0]]).toEqual([400, { field: "status", message: "请选择处理结果" }]);
    }
    for (const adminRemark of [undefined, null, "", "  \n"]) {
      const { data, ...answer } = await process(id, { status: "rejected", adminRemark });
      const message = "拒绝申请时必须填写备注说明";
      expect([answer.status, data.errors]).toEqual([400, [{ field: "adminRemark", message }]]);
    }
    const tooLong = await process(id, { status: "approved", adminRemark: "好".repeat(501) });
    expect(tooLong.data.errors[0].field).toBe("adminRemark");
    expect((await readAsRoot(id)).status).toBe("pending");
    const longest = await process(id, { status: "approved", adminRemark: "好".repeat(500) });
    expect(longest.data.adminRemark).toHaveLength(500);
  });

  it("keeps the earlier remark unless a new one is given", async () => {
    for (const [more, kept] of [
      [{}, "等待付款"],
      [{ adminRemark: "已到账" }, "已到账"],
      [{ adminRemark: "" }, null],
    ] as const) {
      const id = await requestRenewal(client, hostId);
      await process(id, { status: "approved", adminRemark: "等待付款" });
      const answer = await process(id, { status: "completed", ...more });
      expect([answer.status, answer.data.adminRemark]).toEqual([200, kept]);
    }
  });
});

describe("completing a renewal request", () => {
  it("extends the expiry by the requested days once, after an approval too, and no other assignment", async () => {
    const [other, otherHost] = [await app.account("client"), await insertHost(app)];
    const kept = [await assign(app, hostId, other.id), await assign(app, otherHost, client.id)];
    const id = await requestRenewal(client, hostId, 90);
    await decide(app, id, "approved");
    expect(await expiryOf(app, hostId, client)).toBe(expiry);
    const completed = await decide(app, id, "completed");
    await decide(app, id, "completed");
    expect(completed.data.assignedExpireTime).toBe(expiry + 90 * DAY);
    expect(await expiryOf(app, hostId, client)).toBe(expiry + 90 * DAY);
    expect([await expiryOf(app, hostId, other), await expiryOf(app, otherHost, client)]).toEqual(
      kept.map(({ assignedExpireTime }) => assignedExpireTime),
    );
    await decide(app, await requestRenewal(client, hostId), "rejected");
    expect(await expiryOf(app, hostId, client)).toBe(expiry + 90 * DAY);
  });

  it("extends a past expiry from now, and may exceed the 365 days of one assignment", async () => {
    await assign(app, hostId, client.id, { from: -20 * DAY, to: -10 * DAY });
    const before = now();
    await decide(app, await requestRenewal(client, hostId, 365), "completed");
    await decide(app, await requestRenewal(client, hostId, 7), "completed");
    const extended = await expiryOf(app, hostId, client);
    expect(extended).toBeGreaterThanOrEqual(before + 372 * DAY);
    expect(extended).toBeLessThanOrEqual(now() + 372 * DAY);
  });

  it("returns 409 when the new expiry would pass the last representable year", async () => {
    const id = await requestRenewal(client, hostId, 365);
    const period = { assignedAt: MAX_UNIX_SECONDS - 364 * DAY, assignedExpireTime: MAX_UNIX_SECONDS - 1 };
    await app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period });
    expect(failureOf(await decide(app, id, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    expect((await readAsRoot(id)).status).toBe("pending");
    expect(await expiryOf(app, hostId, client)).toBe(period.assignedExpireTime);
  });

  it("returns 409 once the assignment has ended, even if the host was assigned again", async () => {
    const id = await renewalIn(app, { client, hostId }, "approved");
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    expect(failureOf(await decide(app, id, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    const { assignedExpireTime } = await assign(app, hostId, client.id);
    expect(failureOf(await decide(app, id, "completed"))).toEqual([409, "STATE_CONFLICT"]);
    expect((await readAsRoot(id)).status).toBe("approved");
    expect(await expiryOf(app, hostId, client)).toBe(assignedExpireTime);
  });
});

describe("cancelling a renewal request", () => {
  it("returns nothing and keeps the request in the history as cancelled", async () => {
    const id = await requestRenewal(client, hostId);
    const answer = await client.delete(`/api/renewals/${id}`);
    expect([answer.status, answer.data]).toEqual([200, {}]);
    expect(idsOf(await client.get("/api/renewals?status=cancelled"))).toEqual([id]);
    const cancelled = { status: "cancelled", processedBy: null, adminRemark: null, processedAt: expect.any(Number) };
    expect(await readAsRoot(id)).toMatchObject(cancelled);
  });

  it.each([
    ["approved", "批准"],
    ["rejected", "拒绝"],
    ["completed", "完成"],
    ["cancelled", "取消"],
  ] as const)("returns 409 with the status for a request that is %s", async (status, outcome) => {
    const id = await renewalIn(app, { client, hostId }, status);
    const { data, ...answer } = await client.delete(`/api/renewals/${id}`);
    expect([answer.status, data.code, data.message]).toEqual([
      409,
      "STATE_CONFLICT",
      `该申请已${outcome}，本次操作未生效`,
    ]);
    expect((await readAsRoot(id)).status).toBe(status);
  });

  it("returns the same 404 for a request of another client as for a missing one", async () => {
    const other = await app.account("client");
    const id = await requestRenewal(client, hostId);
    for (const each of [id, MISSING]) {
      const { data, ...answer } = await other.delete(`/api/renewals/${each}`);
      expect([answer.status, data.code, data.message]).toEqual([404, "NOT_FOUND", "续费申请不存在"]);
    }
    expect((await readAsRoot(id)).status).toBe("pending");
  });
});
