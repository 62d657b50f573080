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
});

describe("a single user", () => {
  it("a client that moves to another admin is hidden from the former one at the next call, like a missing user", async () => {
    const [admin, other] = [await app.account("admin"), await app.account("admin")];
    const id = await create("one", { adminId: admin.id });
    await app.root.put(`/api/users/${id}`, { adminId: other.id });
    const [hidden, missing] = [await admin.get(`/api/users/${id}`), await admin.get(`/api/users/${MISSING}`)];
    expect([hidden.status, hidden.data]).toMatchObject([404, { code: "NOT_FOUND", message: "用户不存在" }]);
    expect({ ...hidden.data, requestId: "" }).toEqual({ ...missing.data, requestId: "" });
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

describe("changing a user", () => {
  it("changes the given fields and keeps the rest", async () => {
    const { id } = await app.account("client");
    const full = { name: "新名字", email: "new@example.com", phone: "13900000000" };
    const answer = await app.root.put(`/api/users/${id}`, full);
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ id, ...full, isActive: true });
    expect((await app.root.put(`/api/users/${id}`, { phone: "" })).data).toMatchObject({ ...full, phone: null });
    expect((await app.root.put(`/api/users/${id}`, { email: null })).data).toMatchObject({
      name: "新名字",
      email: null,
    });
    expect((await app.root.put(`/api/users/${id}`, {})).data.name).toBe("新名字");
  });
});

describe("the admin of a client", () => {
  it("can be set, changed and removed", async () => {
    const [admin, other] = [await app.account("admin"), await app.account("admin")];
    const client = await app.account("client");
    const move = async (adminId: string | null) =>
      (await app.root.put(`/api/users/${client.id}`, { adminId })).data.admin?.id ?? null;
    expect(await move(admin.id)).toBe(admin.id);
    expect(await move(other.id)).toBe(other.id);
    expect(await move(null)).toBeNull();
  });

  it("is only set on a client, and only to an active admin", async () => {
    const [admin, disabled] = [await app.account("admin"), await app.account("admin")];
    const [client, another] = [await app.account("client"), await app.account("client")];
    await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
    const pairs = [
      [client.id, another.id],
      [client.id, client.id],
      [client.id, app.root.id],
      [client.id, MISSING],
      [client.id, disabled.id],
      [admin.id, admin.id],
      [admin.id, disabled.id],
      [app.root.id, admin.id],
    ];
    for (const [id, adminId] of pairs) {
      const answer = await app.root.put(`/api/users/${id}`, { adminId });
      expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ field: "adminId" }] }]);
    }
  });

  it("disabling an admin leaves its clients without one, and enabling it restores none", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    await app.root.put(`/api/users/${admin.id}`, { isActive: false });
    expect((await app.root.get(`/api/users/${client.id}`)).data).toMatchObject({ adminId: null, isActive: true });
    await app.root.put(`/api/users/${admin.id}`, { isActive: true });
    expect((await (await app.signIn(admin.username)).get("/api/users")).data.users).toEqual([]);
  });
});

it.each([
  ["disable", "不能停用自己的账号", (path: string) => app.root.put(path, { isActive: false })],
  ["delete", "不能删除自己的账号", (path: string) => app.root.delete(path)],
  [
    "reset the password of",
    "不能重置自己的密码，请使用修改密码",
    (path: string) => app.root.post(`${path}/reset-password`),
  ],
])("a super admin cannot %s its own account", async (_act, message, call) => {
  await app.account("super_admin");
  const answer = await call(`/api/users/${app.root.id}`);
  expect([answer.status, answer.body]).toMatchObject([409, { code: "CONFLICT", message }]);
  expect((await app.root.put(`/api/users/${app.root.id}`, { isActive: true, name: "我" })).status).toBe(200);
});

describe("deleting a user", () => {
  it("returns nothing, ends the user's sessions and frees the username", async () => {
    const client = await app.account("client", { username: "zhang" });
    const answer = await app.root.delete(`/api/users/${client.id}`);
    expect([answer.status, answer.data]).toEqual([200, {}]);
    expect((await client.get("/api/auth/me")).status).toBe(401);
    expect((await app.root.get(`/api/users/${client.id}`)).status).toBe(404);
    const next = await app.account("client", { username: "ZHANG" });
    expect(next.id).not.toBe(client.id);
    expect((await client.get("/api/auth/me")).status).toBe(401);
  });

  it("deleting an admin keeps its clients without an admin", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    await app.root.delete(`/api/users/${admin.id}`);
    expect((await client.get("/api/auth/me")).data).toMatchObject({ adminId: null, admin: null, isActive: true });
  });

  it("returns 404 for a missing or already deleted user", async () => {
    const client = await app.account("client");
    await app.root.delete(`/api/users/${client.id}`);
    for (const id of [client.id, MISSING]) expect((await app.root.delete(`/api/users/${id}`)).status).toBe(404);
  });

  it("never deletes the last active super admin, even if a disabled one exists", async () => {
    const other = await app.account("super_admin");
    const disabled = await app.account("super_admin");
    await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
    const answers = await Promise.all([
      app.root.delete(`/api/users/${other.id}`),
      other.put(`/api/users/${app.root.id}`, { isActive: false }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const active = await app.database.query("select id from users where role = 'super_admin' and is_active");
    expect(active).toHaveLength(1);
  });
});
