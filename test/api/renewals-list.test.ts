import { beforeEach, describe, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, decide, failureOf, idsOf, insertHost, MISSING, now, requestRenewal } from "../harness/data.ts";

const app = useApp();
let admin: Account;
let client: Account;
let strangeAdmin: Account;
let stranger: Account;

beforeEach(async () => {
  admin = await app.account("admin");
  strangeAdmin = await app.account("admin");
  client = await app.account("client", { username: "zhang_kehu", adminId: admin.id });
  stranger = await app.account("client", { username: "wang_100", adminId: strangeAdmin.id });
});

/** Creates a request of the client for a host with the name. */
async function requestFor(account: Account, name = "网站-1", more: Record<string, unknown> = {}): Promise<string> {
  const hostId = await insertHost(app, { name, ...more });
  await assign(app, hostId, account.id);
  return await requestRenewal(account, hostId);
}

describe("the list of renewal requests", () => {
  it("shows all requests to a super admin, own clients' to an admin, own to a client; newest first", async () => {
    const first = await requestFor(client);
    const foreign = await requestFor(stranger);
    const second = await requestFor(client);
    expect(idsOf(await app.root.get("/api/renewals"))).toEqual([second, foreign, first]);
    for (const account of [admin, client]) {
      const answer = await account.get("/api/renewals");
      expect(idsOf(answer)).toEqual([second, first]);
      expect(answer.data.pagination).toEqual({ page: 1, limit: 20, total: 2, totalPages: 1 });
    }
    expect(idsOf(await strangeAdmin.get("/api/renewals"))).toEqual([foreign]);
    expect(idsOf(await stranger.get("/api/renewals"))).toEqual([foreign]);
    expect((await app.anonymous.get("/api/renewals")).status).toBe(401);
  });

  it("shows a moved client's requests to the new admin at the next call", async () => {
    const id = await requestFor(client);
    await app.root.put(`/api/users/${client.id}`, { adminId: strangeAdmin.id });
    expect(idsOf(await admin.get("/api/renewals"))).toEqual([]);
    expect((await admin.get(`/api/renewals/${id}`)).status).toBe(404);
    expect(idsOf(await strangeAdmin.get("/api/renewals"))).toEqual([id]);
    await app.root.put(`/api/users/${client.id}`, { adminId: null });
    expect(idsOf(await strangeAdmin.get("/api/renewals"))).toEqual([]);
    expect(idsOf(await app.root.get("/api/renewals"))).toEqual([id]);
  });

  it("hides the provider's expiry and the deciding user from the client", async () => {
    const id = await requestFor(client, "网站-1", { expire_time: 1_900_000_000 });
    await decide(app, id, "rejected");
    const own = (await client.get("/api/renewals")).data.requests[0];
    expect(own).toMatchObject({ processedBy: null, status: "rejected", adminRemark: "已核对" });
    expect(own.processedAt).toEqual(expect.any(Number));
    expect(own.host.expireTime).toBe(own.assignedExpireTime);
    for (const account of [admin, app.root]) {
      const seen = (await account.get("/api/renewals")).data.requests[0];
      expect(seen.host.expireTime).toBe(1_900_000_000);
      expect(seen).toEqual({
        ...own,
        host: { ...own.host, expireTime: 1_900_000_000 },
        processedBy: { id: app.root.id, name: "系统管理员" },
      });
    }
  });

  it("shows nothing that changed on a host since it was unassigned", async () => {
    const id = await requestFor(client, "旧名", { expire_time: 1_990_000_000 });
    const hostId = (await client.get(`/api/renewals/${id}`)).data.host.id;
    const search = (account: Account, name: string) => account.get(`/api/renewals?search=${encodeURIComponent(name)}`);
    await app.database.query("update hosts set name = '改名', cpu = 6 where id = $1", [hostId]);
    expect((await client.get(`/api/renewals/${id}`)).data.host).toMatchObject({ name: "改名", cpu: 6 });

    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    await assign(app, hostId, stranger.id);
    await app.database.query("update hosts set name = '别家', cpu = 8, memory = 1, expire_time = 5 where id = $1", [
      hostId,
    ]);
    for (const account of [client, admin]) {
      const seen = (await account.get(`/api/renewals/${id}`)).data;
      expect(seen.host).toMatchObject({ id: hostId, name: "旧名", cpu: 4, memory: 8192 });
      expect(seen.host.expireTime).toBe(account === client ? seen.assignedExpireTime : 1_990_000_000);
      expect(idsOf(await search(account, "别家"))).toEqual([]);
      expect(idsOf(await search(account, "旧名"))).toEqual([id]);
    }
    expect((await app.root.get(`/api/renewals/${id}`)).data.host).toMatchObject({
      name: "别家",
      cpu: 8,
      expireTime: 5,
    });
    expect(idsOf(await search(app.root, "别家"))).toEqual([id]);
  });

  it("hides a host from the client until a future assignment starts, and shows it to the admin", async () => {
    const id = await requestFor(client, "旧名");
    const hostId = (await client.get(`/api/renewals/${id}`)).data.host.id;
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    await assign(app, hostId, client.id, { from: DAY });
    await app.database.query("update hosts set name = '别家', cpu = 8 where id = $1", [hostId]);

    expect((await client.get(`/api/hosts/${hostId}`)).status).toBe(404);
    expect((await client.get(`/api/renewals/${id}`)).data.host).toMatchObject({ name: "旧名", cpu: 4 });
    expect(idsOf(await client.get(`/api/renewals?search=${encodeURIComponent("别家")}`))).toEqual([]);
    expect((await admin.get(`/api/renewals/${id}`)).data.host).toMatchObject({ name: "别家", cpu: 8 });
    await assign(app, hostId, client.id);
    expect((await client.get(`/api/renewals/${id}`)).data.host).toMatchObject({ name: "别家", cpu: 8 });
  });

  it.each([
    "page=0",
    "limit=101",
    "status=done",
    "status=",
    "status=pending&status=approved",
    "userId=1",
    `search=${"a".repeat(101)}`,
  ])("rejects the query ?%s", async (query) => {
    expect(failureOf(await client.get(`/api/renewals?${query}`))).toEqual([400, "INVALID_INPUT"]);
  });
});

describe("searching renewal requests", () => {
  it("finds text anywhere in the username and host name, case-insensitively", async () => {
    const web = await requestFor(client, "Web-前端");
    const db = await requestFor(stranger, "DB_主库");
    for (const [search, found] of [
      ["前端", [web]],
      ["web", [web]],
      ["db", [db]],
      ["ZHANG", [web]],
      ["_kehu", [web]],
      ["  wang_1 ", [db]],
      ["_", [db, web]],
      ["", [db, web]],
      ["uhost-", []],
      ["w%", []],
      ["d__主", []],
      ["没有", []],
    ] as const) {
      const answer = await app.root.get(`/api/renewals?search=${encodeURIComponent(search)}`);
      expect([search, idsOf(answer), answer.data.pagination.total]).toEqual([search, found, found.length]);
    }
  });

  it("searches only the caller's scope", async () => {
    const own = await requestFor(client, "共用-1");
    await requestFor(stranger, "共用-2");
    for (const account of [client, admin]) {
      const answer = await account.get(`/api/renewals?search=${encodeURIComponent("共用")}`);
      expect([idsOf(answer), answer.data.pagination.total]).toEqual([[own], 1]);
      expect(idsOf(await account.get("/api/renewals?search=wang"))).toEqual([]);
    }
  });
});

describe("status counts of the list", () => {
  it("count every status in the search and the caller's scope, whatever status and page are requested", async () => {
    await decide(app, await requestFor(client, "甲-1"), "rejected");
    await decide(app, await requestFor(client, "甲-2"), "completed");
    await requestFor(client, "甲-3");
    await requestFor(client, "乙-1");
    await requestFor(stranger, "甲-4");
    const none = { pending: 0, approved: 0, rejected: 0, completed: 0, cancelled: 0 };
    const own = { ...none, pending: 2, rejected: 1, completed: 1 };
    for (const query of ["", "status=pending", "status=cancelled", "page=9&limit=1"]) {
      const counts = async (account: Account) => (await account.get(`/api/renewals?${query}`)).data.counts;
      expect(await counts(client)).toEqual(own);
      expect(await counts(admin)).toEqual(own);
      expect(await counts(app.root)).toEqual({ ...own, pending: 3 });
    }
    const search = `search=${encodeURIComponent("甲")}`;
    expect((await client.get(`/api/renewals?${search}&status=approved`)).data).toMatchObject({
      counts: { ...own, pending: 1 },
      pagination: { total: 0 },
    });
    expect((await client.get("/api/renewals?search=nothing")).data.counts).toEqual(none);
  });
});

it("a single request is visible to the same users with the same fields as in the list, and to others as missing", async () => {
  const id = await requestFor(client);
  for (const account of [app.root, admin, client]) {
    const one = await account.get(`/api/renewals/${id}`);
    expect(one.status).toBe(200);
    expect((await account.get("/api/renewals")).data.requests).toEqual([one.data]);
  }
  for (const account of [strangeAdmin, stranger]) {
    const answers = [await account.get(`/api/renewals/${id}`), await account.get(`/api/renewals/${MISSING}`)];
    for (const { status, data } of answers) expect([status, data.message]).toEqual([404, "续费申请不存在"]);
  }
});

describe("the order of renewal requests", () => {
  /** Creates requests of the client in order, for hosts assigned for the given days. */
  async function requestsFor(days: readonly number[]): Promise<string[]> {
    const ids: string[] = [];
    const start = now();
    for (const left of days) {
      const hostId = await insertHost(app, { expire_time: 2_000_000_000 - ids.length * DAY });
      await assign(app, hostId, client.id, { to: start - now() + left * DAY });
      ids.push(await requestRenewal(client, hostId));
    }
    return ids;
  }

  async function readPages(account: Account, query: string): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 1; ; page++) {
      const answer = await account.get(`/api/renewals?${query}&limit=2&page=${page}`);
      expect(answer.data.pagination).toMatchObject({ page, limit: 2, total: 5, totalPages: 3 });
      ids.push(...idsOf(answer));
      if (page === 3) return ids;
    }
  }

  it("is by request time or by the client's expiry over all pages, the same for every caller", async () => {
    const ids = await requestsFor([20, 5, 200, 5, 3]);
    const [twenty, five, years, alsoFive, three] = ids;
    for (const account of [app.root, admin, client]) {
      expect(await readPages(account, "order=asc")).toEqual(ids);
      expect(await readPages(account, "sort=createdAt")).toEqual(ids.toReversed());
      expect(await readPages(account, "sort=expireTime&order=asc")).toEqual([three, alsoFive, five, twenty, years]);
      expect(await readPages(account, "sort=expireTime&order=desc")).toEqual([years, twenty, alsoFive, five, three]);
    }
  });

  it("applies within the status filter, so one row shows the oldest pending request", async () => {
    const [first = "", second = ""] = await requestsFor([5, 20, 3]);
    await client.delete(`/api/renewals/${first}`);
    const answer = await app.root.get("/api/renewals?status=pending&order=asc&limit=1");
    expect([idsOf(answer), answer.data.pagination.total]).toEqual([[second], 2]);
  });

  it.each([
    ["sort", "sort=assignedExpireTime", "不支持按该字段排序"],
    ["sort", "sort=id;drop%20table%20renewals", "不支持按该字段排序"],
    ["order", "order=ASC", "排序方向只能是 asc 或 desc"],
  ])("rejects an unknown %s in ?%s with a message", async (field, query, message) => {
    const { status, body } = await client.get(`/api/renewals?${query}`);
    expect([status, body]).toMatchObject([400, { code: "INVALID_INPUT", errors: [{ field, message }] }]);
  });
});
