import { beforeEach, describe, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, insertHost, MISSING, now } from "../harness/data.ts";
import { decide, failureOf, request } from "../harness/renewals.ts";

const app = useApp();
let client: Account;
let hostId: string;

beforeEach(async () => {
  client = await app.account("client");
  hostId = await insertHost(app, { name: "网站-1", ucloud_id: "uhost-abc123" });
});

async function rows() {
  return await app.database.query("select * from renewals");
}

describe("requesting a renewal", () => {
  it("creates a pending request and returns the client's view of it", async () => {
    const { assignedExpireTime } = await assign(app, hostId, client.id);
    await app.root.put(`/api/users/${client.id}`, { email: "k@example.com", phone: "13900001111" });
    const answer = await client.post("/api/renewals", { hostId, requestedDuration: 90, remark: "合同续签" });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      host: {
        id: hostId,
        name: "网站-1",
        ucloudId: "uhost-abc123",
        cpu: 4,
        memory: 8192,
        expireTime: assignedExpireTime,
      },
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
      assignedExpireTime,
    });
    expect(Math.abs(answer.data.createdAt - now())).toBeLessThan(5);
    expect((await client.get(`/api/renewals/${answer.data.id}`)).data).toEqual(answer.data);
  });

  it("changes no date", async () => {
    const { assignedExpireTime } = await assign(app, hostId, client.id);
    await request(client, hostId, 365);
    expect((await client.get(`/api/hosts/${hostId}`)).data.expireTime).toBe(assignedExpireTime);
  });

  it("accepts 1 to 365 whole days", async () => {
    await assign(app, hostId, client.id);
    for (const requestedDuration of [1, 365]) {
      const { status, data } = await client.post("/api/renewals", { hostId, requestedDuration });
      expect([status, data.requestedDuration]).toEqual([201, requestedDuration]);
      await client.delete(`/api/renewals/${data.id}`);
    }
    for (const [requestedDuration, expectedMessage] of [
      [0, "续费天数至少为1天"],
      [-30, "续费天数至少为1天"],
      [366, "续费天数最多为365天"],
      [1.5, "续费天数必须是整数"],
      ["30", "续费天数必须是整数"],
      [null, "续费天数必须是整数"],
      [undefined, "续费天数必须是整数"],
    ]) {
      const { status, data } = await client.post("/api/renewals", { hostId, requestedDuration });
      expect([status, data.code, data.message]).toEqual([400, "INVALID_INPUT", expectedMessage]);
      expect(data.errors).toEqual([{ field: "requestedDuration", message: expectedMessage }]);
    }
  });

  it("accepts a remark of up to 500 characters or none", async () => {
    await assign(app, hostId, client.id);
    for (const [remark, kept] of [
      ["好".repeat(500), "好".repeat(500)],
      ["", null],
      [null, null],
      [undefined, null],
    ]) {
      const { status, data } = await client.post("/api/renewals", { hostId, requestedDuration: 30, remark });
      expect([status, data.remark]).toEqual([201, kept]);
      await client.delete(`/api/renewals/${data.id}`);
    }
    for (const remark of ["好".repeat(501), "a\0b", 7]) {
      const { status, data } = await client.post("/api/renewals", { hostId, requestedDuration: 30, remark });
      expect([status, data.errors[0].field]).toEqual([400, "remark"]);
    }
  });

  it("rejects fields that the server sets, such as another user or a status", async () => {
    await assign(app, hostId, client.id);
    for (const more of [{ userId: MISSING }, { status: "completed" }, { id: MISSING }, { createdAt: 1 }]) {
      const answer = await client.post("/api/renewals", { hostId, requestedDuration: 30, ...more });
      expect(failureOf(answer)).toEqual([400, "INVALID_INPUT"]);
    }
    expect(await rows()).toEqual([]);
  });
});

describe("hosts that can be renewed", () => {
  it("a client may request renewal of its hosts, even after their period ended", async () => {
    await assign(app, hostId, client.id, { from: -10 * DAY, to: -3 * DAY });
    const answer = await client.post("/api/renewals", { hostId, requestedDuration: 30 });
    expect(answer.status).toBe(201);
    expect(answer.data.assignedExpireTime).toBeLessThan(now());
  });

  it("returns the same 404 for hosts of others, future, past and missing assignments", async () => {
    const other = await app.account("client");
    const [foreign, future, ended] = [await insertHost(app), await insertHost(app), await insertHost(app)];
    await assign(app, foreign, other.id);
    await assign(app, future, client.id, { from: DAY, to: 30 * DAY });
    await assign(app, ended, client.id);
    await app.root.post("/api/hosts/unassign", { hostId: ended, userId: client.id });
    for (const id of [foreign, future, ended, hostId, MISSING]) {
      const { status, data } = await client.post("/api/renewals", { hostId: id, requestedDuration: 30 });
      expect([status, data.code, data.message]).toEqual([404, "NOT_FOUND", "主机不存在"]);
    }
    expect(await rows()).toEqual([]);
  });

  it("validates the input before it looks up the host", async () => {
    expect((await client.post("/api/renewals", { hostId: MISSING, requestedDuration: 0 })).status).toBe(400);
    for (const id of ["1", "", null, undefined]) {
      expect((await client.post("/api/renewals", { hostId: id, requestedDuration: 30 })).status).toBe(400);
    }
  });
});

describe("one pending request per client and host", () => {
  beforeEach(async () => {
    await assign(app, hostId, client.id);
  });

  it("returns 409 for a second request for the same host", async () => {
    await request(client, hostId);
    const { status, data } = await client.post("/api/renewals", { hostId, requestedDuration: 7 });
    expect([status, data.code]).toEqual([409, "CONFLICT"]);
    expect(data.message).toBe("该主机已有待处理的续费申请，请等待处理或先取消");
    expect(await rows()).toHaveLength(1);
  });

  it("allows requests for another host and from another client of the same host", async () => {
    await request(client, hostId);
    const [otherHost, otherClient] = [await insertHost(app), await app.account("client")];
    await assign(app, otherHost, client.id);
    await assign(app, hostId, otherClient.id);
    await request(client, otherHost);
    await request(otherClient, hostId);
    expect(await rows()).toHaveLength(3);
  });

  it("allows a new request once the previous one is decided or cancelled", async () => {
    for (const status of ["approved", "rejected", "completed"])
      await decide(app, await request(client, hostId), status);
    await client.delete(`/api/renewals/${await request(client, hostId)}`);
    await request(client, hostId);
    expect(await rows()).toHaveLength(5);
  });

  it("accepts one of twenty concurrent requests and returns 409 for nineteen", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post("/api/renewals", { hostId, requestedDuration: 30 })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201).map(failureOf)).toEqual(Array(19).fill([409, "CONFLICT"]));
    expect(await rows()).toHaveLength(1);
  });
});

describe("permission to request a renewal", () => {
  it("only a client may request a renewal, whatever the body", async () => {
    const admin = await app.account("admin");
    await app.root.put(`/api/users/${client.id}`, { adminId: admin.id });
    await assign(app, hostId, client.id);
    for (const input of [{ hostId, requestedDuration: 30 }, {}, { hostId: MISSING, requestedDuration: 0 }]) {
      for (const account of [admin, app.root]) {
        expect(failureOf(await account.post("/api/renewals", input))).toEqual([403, "FORBIDDEN"]);
      }
      expect(failureOf(await app.anonymous.post("/api/renewals", input))).toEqual([401, "UNAUTHENTICATED"]);
    }
    expect(await rows()).toEqual([]);
  });
});
