import { describe, expect, it } from "vitest";
import { PASSWORD, useApp } from "../harness/app.ts";
import { MISSING } from "../harness/data.ts";

const app = useApp();
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

  it.each([
    [{ name: "" }, "name", "姓名不能为空"],
    [{ name: null }, "name", "姓名不能为空"],
    [{ name: 1 }, "name", "请输入文本"],
    [{ email: "x@" }, "email", "邮箱格式不正确"],
    [{ phone: "1" }, "phone", "手机号格式不正确"],
    [{ isActive: "false" }, "isActive", "请选择启用或停用"],
    [{ isActive: 0 }, "isActive", "请选择启用或停用"],
  ])("rejects the change %j", async (body, field, message) => {
    const { id } = await app.account("client");
    const answer = await app.root.put(`/api/users/${id}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message, errors: [{ field, message }] });
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

describe("disabling a user", () => {
  it("a super admin cannot disable itself", async () => {
    await app.account("super_admin");
    const answer = await app.root.put(`/api/users/${app.root.id}`, { isActive: false });
    expect([answer.status, answer.body]).toMatchObject([409, { code: "CONFLICT", message: "不能停用自己的账号" }]);
    expect((await app.root.put(`/api/users/${app.root.id}`, { isActive: true, name: "我" })).status).toBe(200);
  });
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

  it("a super admin cannot delete itself", async () => {
    await app.account("super_admin");
    const answer = await app.root.delete(`/api/users/${app.root.id}`);
    expect([answer.status, answer.body]).toMatchObject([409, { code: "CONFLICT", message: "不能删除自己的账号" }]);
  });

  it("returns 404 for a missing or already deleted user", async () => {
    const client = await app.account("client");
    await app.root.delete(`/api/users/${client.id}`);
    for (const id of [client.id, MISSING]) expect((await app.root.delete(`/api/users/${id}`)).status).toBe(404);
    expect((await app.root.delete("/api/users/1")).status).toBe(400);
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

describe("resetting a password", () => {
  it.each(["super_admin", "admin", "client"] as const)(
    "resetting it for a %s ends all sessions and returns a new password",
    async (role) => {
      const account = await app.account(role);
      const second = await app.signIn(account.username);
      const answer = await app.root.post(`/api/users/${account.id}/reset-password`);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.data)).toEqual(["newPassword"]);
      for (const session of [account, second]) expect((await session.get("/api/auth/me")).status).toBe(401);
      const old = await app.anonymous.post("/api/auth/login", { username: account.username, password: PASSWORD });
      expect(old.status).toBe(401);
      const again = await app.signIn(account.username, answer.data.newPassword);
      expect((await again.get("/api/auth/me")).data.mustChangePassword).toBe(true);
    },
  );

  it("a super admin cannot reset the own password", async () => {
    const answer = await app.root.post(`/api/users/${app.root.id}/reset-password`);
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: "CONFLICT", message: "不能重置自己的密码，请使用修改密码" },
    ]);
    expect((await app.root.get("/api/auth/me")).status).toBe(200);
  });

  it("returns 404 for a missing user and 400 for a body with any field", async () => {
    expect((await app.root.post(`/api/users/${MISSING}/reset-password`)).status).toBe(404);
    const { id } = await app.account("client");
    expect((await app.root.post(`/api/users/${id}/reset-password`, { newPassword: "Chosen1Horse" })).status).toBe(400);
  });

  it("does not enable a disabled account", async () => {
    const client = await app.account("client");
    await app.root.put(`/api/users/${client.id}`, { isActive: false });
    const { data } = await app.root.post(`/api/users/${client.id}/reset-password`);
    const answer = await app.anonymous.post("/api/auth/login", {
      username: client.username,
      password: data.newPassword,
    });
    expect([answer.status, answer.body]).toMatchObject([401, { code: "LOGIN_FAILED" }]);
  });
});
