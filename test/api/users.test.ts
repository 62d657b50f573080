import { describe, expect, it } from "vitest";
import type { Assignment } from "../../src/shared/assignments.ts";
import { PASSWORD, useApp } from "../harness/app.ts";
import { assign, DAY, insertHosts, MISSING } from "../harness/data.ts";

const app = useApp();
async function create(username: string, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await app.root.post("/api/users", {
    username,
    password: PASSWORD,
    name: `${username}的姓名`,
    role: "client",
    ...more,
  });
  expect(answer.status).toBe(201);
  return answer.data.id;
}

const names = (answer: { data: { users: { username: string }[] } }) =>
  answer.data.users.map(({ username }) => username);

describe("the list of users", () => {
  it("shows all users to a super admin, newest first, in pages", async () => {
    for (const username of ["one", "two", "three"]) await create(username);
    const first = await app.root.get("/api/users?limit=3");
    expect(first.status).toBe(200);
    expect(names(first)).toEqual(["three", "two", "one"]);
    expect(first.data.pagination).toEqual({ page: 1, limit: 3, total: 4, totalPages: 2 });
    const second = await app.root.get("/api/users?limit=3&page=2");
    expect(names(second)).toEqual(["root"]);
    const beyond = await app.root.get("/api/users?limit=3&page=9");
    expect([names(beyond), beyond.data.pagination.total]).toEqual([[], 4]);
  });

  it("names the admin of a client", async () => {
    const admin = await app.account("admin", { username: "boss" });
    await create("one", { adminId: admin.id });
    const { data } = await app.root.get("/api/users?role=client");
    expect(data.users[0]).toMatchObject({
      adminId: admin.id,
      admin: { id: admin.id, name: "boss的姓名", username: "boss" },
    });
    expect(JSON.stringify(data)).not.toMatch(/password_?hash|argon2/i);
  });

  it("shows an admin its own clients only, also in totals and searches", async () => {
    const admin = await app.account("admin");
    const other = await app.account("admin");
    await create("mine", { adminId: admin.id });
    await create("theirs", { adminId: other.id });
    await create("nobodys");
    const all = await admin.get("/api/users");
    expect([names(all), all.data.pagination.total]).toEqual([["mine"], 1]);
    const searched = await admin.get("/api/users?search=theirs");
    expect([names(searched), searched.data.pagination.total]).toEqual([[], 0]);
    const admins = await admin.get("/api/users?role=admin");
    expect([names(admins), admins.data.pagination.total]).toEqual([[], 0]);
  });

  it("searches names and addresses literally and case-insensitively, after trimming", async () => {
    await create("wang_1", { name: "王 50%\\折" });
    await create("wangx1", { name: "Ärger", email: "Wang.Wu@Example.com" });
    const search = async (text: string) => names(await app.root.get(`/api/users?search=${encodeURIComponent(text)}`));
    expect(await search("WANG_")).toEqual(["wang_1"]);
    expect(await search("50%")).toEqual(["wang_1"]);
    expect(await search("%\\折")).toEqual(["wang_1"]);
    expect(await search("  example.COM ")).toEqual(["wangx1"]);
    expect(await search("ärg")).toEqual(["wangx1"]);
    expect(await search("%%")).toEqual([]);
    expect(await search("   ")).toHaveLength(3);
    expect(await search("' or 1=1 --")).toEqual([]);
  });

  it("lists what a user has and had, newest first", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const [first = "", second = "", future = ""] = await insertHosts(app, [
      { name: "a", ucloud_id: "uhost-a" },
      { name: "b", ucloud_id: "uhost-b" },
      { name: "c" },
    ]);
    await assign(app, first, client.id);
    await app.root.post("/api/hosts/unassign", { hostId: first, userId: client.id });
    await assign(app, second, client.id);
    await assign(app, future, client.id, { from: DAY });
    const read = async (account: typeof client) => {
      const { data } = await account.get(`/api/users/${client.id}/assignments`);
      return data.assignments.map(({ host, endedAt, assignedBy }: Assignment) => [
        host.name,
        endedAt !== null,
        assignedBy?.id ?? null,
      ]);
    };
    const by = app.root.id;
    expect(await read(app.root)).toEqual([
      ["c", false, by],
      ["b", false, by],
      ["a", true, by],
    ]);
    expect(await read(admin)).toEqual([
      ["c", false, by],
      ["b", false, by],
      ["uhost-a", true, by],
    ]);
    expect(await read(client)).toEqual([
      ["b", false, null],
      ["uhost-a", true, null],
    ]);
    const page = await app.root.get(`/api/users/${client.id}/assignments?limit=2&page=2`);
    expect([page.data.assignments.length, page.data.pagination.total]).toEqual([1, 3]);
  });

  it.each(["page=0", "page=1e3", "page=1.5", "limit=101", "limit=0", "limit=", "page=1&page=2", "foo=1"])(
    "rejects the query ?%s",
    async (query) => {
      expect((await app.root.get(`/api/users?${query}`)).status).toBe(400);
    },
  );
});

describe("a single user", () => {
  it("is visible to a super admin and its admin only, and an admin sees itself", async () => {
    const admin = await app.account("admin");
    const mine = await create("mine", { adminId: admin.id });
    const theirs = await create("theirs");
    const client = await app.signIn("mine");
    expect((await app.root.get(`/api/users/${theirs}`)).data.username).toBe("theirs");
    expect((await admin.get(`/api/users/${mine}`)).data.username).toBe("mine");
    expect((await admin.get(`/api/users/${admin.id}`)).data.id).toBe(admin.id);
    expect((await client.get(`/api/users/${mine}`)).status).toBe(403);
  });

  it("a user of another admin returns the same 404 as a missing one", async () => {
    const admin = await app.account("admin");
    const theirs = await create("theirs");
    const hidden = await admin.get(`/api/users/${theirs}`);
    const missing = await admin.get("/api/users/0198a000-0000-7000-8000-000000000000");
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect({ ...Object(hidden.body), requestId: "" }).toEqual({ ...Object(missing.body), requestId: "" });
    expect(hidden.body).toMatchObject({ code: "NOT_FOUND", message: "用户不存在" });
  });

  it("a client that moves to another admin is hidden from the former one at the next call", async () => {
    const admin = await app.account("admin");
    const other = await app.account("admin");
    const id = await create("one", { adminId: admin.id });
    await app.root.put(`/api/users/${id}`, { adminId: other.id });
    expect((await admin.get(`/api/users/${id}`)).status).toBe(404);
    expect((await other.get(`/api/users/${id}`)).status).toBe(200);
  });
});

const ZHANG = { username: "zhang", password: PASSWORD, name: "张三", role: "client" };

describe("creating a user", () => {
  it("returns 201 and the user, who can sign in at once without changing the password", async () => {
    const answer = await app.root.post("/api/users", { ...ZHANG, email: "z@example.com", phone: "13800000000" });
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({
      username: "zhang",
      name: "张三",
      role: "client",
      email: "z@example.com",
      phone: "13800000000",
      isActive: true,
      adminId: null,
      mustChangePassword: false,
    });
    await app.signIn("zhang");
  });

  it("keeps text byte for byte and stores an empty address as null", async () => {
    const name = " <b>=cmd|' /C'!A0</b>\u202e😀\u0301 ";
    const { data } = await app.root.post("/api/users", { ...ZHANG, name, email: "", phone: "" });
    expect(data).toMatchObject({ name, email: null, phone: null });
    expect((await app.root.get(`/api/users/${data.id}`)).data.name).toBe(name);
  });

  it.each([
    [{ username: "" }, "username", "用户名不能为空"],
    [{ username: undefined }, "username", "用户名不能为空"],
    [{ username: "ab" }, "username", "用户名至少3个字符"],
    [{ username: "a".repeat(51) }, "username", "用户名最多50个字符"],
    [{ username: "zhāng" }, "username", "用户名只能包含字母、数字和下划线"],
    [{ username: "zhang\n" }, "username", "用户名只能包含字母、数字和下划线"],
    [{ password: "" }, "password", "密码不能为空"],
    [{ password: undefined }, "password", "密码不能为空"],
    [{ password: "Short1a" }, "password", "密码长度必须为8-128个字符"],
    [{ password: "Password1" }, "password", "该密码过于常见，请更换一个更复杂的密码"],
    [{ name: " " }, "name", "姓名不能为空"],
    [{ name: undefined }, "name", "姓名不能为空"],
    [{ name: "名".repeat(101) }, "name", "姓名最多100个字符"],
    [{ name: "a\0b" }, "name", "包含无效字符"],
    [{ role: "super_admin" }, "role", "角色只能是管理员或C端用户"],
    [{ role: "owner" }, "role", "角色只能是管理员或C端用户"],
    [{ email: "zhang" }, "email", "邮箱格式不正确"],
    [{ phone: "12800000000" }, "phone", "手机号格式不正确"],
    [{ phone: "138000000001" }, "phone", "手机号格式不正确"],
    [{ adminId: "1" }, "adminId", "标识格式不正确"],
  ])("rejects a new user with %j", async (wrong, field, message) => {
    const answer = await app.root.post("/api/users", { ...ZHANG, ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "INVALID_INPUT", message, errors: [{ field, message }] });
  });

  it("accepts as adminId only an active admin, and only for a client", async () => {
    const admin = await app.account("admin");
    const disabled = await app.account("admin");
    const client = await app.account("client");
    await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
    for (const adminId of [app.root.id, disabled.id, client.id, MISSING]) {
      const answer = await app.root.post("/api/users", { ...ZHANG, adminId });
      expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ field: "adminId" }] }]);
    }
    const wrongRole = await app.root.post("/api/users", { ...ZHANG, role: "admin", adminId: admin.id });
    expect([wrongRole.status, wrongRole.body]).toMatchObject([400, { errors: [{ field: "adminId" }] }]);
    expect((await app.root.post("/api/users", { ...ZHANG, adminId: admin.id })).data.adminId).toBe(admin.id);
  });

  it("rejects a username that is taken in any case", async () => {
    await app.root.post("/api/users", ZHANG);
    const answer = await app.root.post("/api/users", { ...ZHANG, username: "ZHANG" });
    expect([answer.status, answer.body]).toMatchObject([409, { code: "CONFLICT", message: "用户名已存在" }]);
  });

  it("never leaves a client under an admin that is disabled at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const admin = await app.account("admin");
      await Promise.all([
        app.root.post("/api/users", { ...ZHANG, username: `zhang${round}`, adminId: admin.id }),
        app.root.put(`/api/users/${admin.id}`, { isActive: false }),
      ]);
      expect(await app.database.query("select id from users where admin_id = $1", [admin.id])).toEqual([]);
    }
  });
});
