import { describe, expect, it } from "vitest";
import { PASSWORD, useApp } from "../harness/app.ts";

const app = useApp();
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

  it("rejects everyone but a super admin before it validates the body", async () => {
    for (const role of ["admin", "client"] as const) {
      const account = await app.account(role);
      for (const body of [ZHANG, {}]) expect((await account.post("/api/users", body)).status).toBe(403);
    }
    expect((await app.anonymous.post("/api/users", ZHANG)).status).toBe(401);
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

  it.each(["id", "isActive", "createdAt", "mustChangePassword", "passwordHash", "__proto__", "constructor"])(
    "rejects the field %s in a new user",
    async (field) => {
      const body = `{"${field}": true, ${JSON.stringify(ZHANG).slice(1)}`;
      const headers = { "content-type": "application/json" };
      expect((await app.root.raw("POST", "/api/users", { body, headers })).status).toBe(400);
      expect((await app.root.get("/api/users?search=zhang")).data.users).toEqual([]);
    },
  );

  it("accepts as adminId only an active admin, and only for a client", async () => {
    const admin = await app.account("admin");
    const disabled = await app.account("admin");
    const client = await app.account("client");
    await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
    const missing = "0198a000-0000-7000-8000-000000000000";
    for (const adminId of [app.root.id, disabled.id, client.id, missing]) {
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

  it("creates one of twenty concurrent users with the same username", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        app.root.post("/api/users", { ...ZHANG, username: index % 2 === 0 ? "zhang" : "Zhang" }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
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
