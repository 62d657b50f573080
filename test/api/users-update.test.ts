import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const app = useApp();
const MISSING = "0198a000-0000-7000-8000-000000000000";

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

  it("only a super admin may change a user", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    for (const account of [admin, client]) {
      expect((await account.put(`/api/users/${client.id}`, { name: "x" })).status).toBe(403);
      expect((await account.put(`/api/users/${MISSING}`, { role: 1 })).status).toBe(403);
    }
    expect((await app.anonymous.put(`/api/users/${client.id}`, { name: "x" })).status).toBe(401);
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

  it.each(["id", "username", "role", "password", "createdAt", "mustChangePassword", "userId", "status"])(
    "rejects the field %s in a change",
    async (field) => {
      const client = await app.account("client");
      expect((await app.root.put(`/api/users/${client.id}`, { [field]: "admin" })).status).toBe(400);
      expect((await app.root.get(`/api/users/${client.id}`)).data).toMatchObject({
        username: client.username,
        role: "client",
      });
    },
  );

  it("returns 404 for a user that does not exist", async () => {
    const answer = await app.root.put(`/api/users/${MISSING}`, { name: "x" });
    expect([answer.status, answer.body]).toMatchObject([404, { message: "用户不存在" }]);
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

  it("two super admins who disable each other at once leave one", async () => {
    for (let round = 0; round < 5; round++) {
      await app.database.query("delete from users where username <> 'root'");
      await app.database.query("update users set is_active = true");
      const root = await app.signIn("root");
      const other = await app.account("super_admin");
      const answers = await Promise.all([
        root.put(`/api/users/${other.id}`, { isActive: false }),
        other.put(`/api/users/${root.id}`, { isActive: false }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([
        200,
        expect.toSatisfy((s) => s === 401 || s === 409),
      ]);
      expect(await app.database.query("select id from users where is_active")).toHaveLength(1);
    }
  });

  it("five super admins who disable one another in twenty concurrent calls leave exactly one", async () => {
    const all = [app.root];
    while (all.length < 5) all.push(await app.account("super_admin", { username: `boss_${all.length}` }));
    const answers = await Promise.all(
      all.flatMap((caller) =>
        all
          .filter((other) => other !== caller)
          .map((other) => caller.put(`/api/users/${other.id}`, { isActive: false })),
      ),
    );
    for (const { status } of answers) expect([200, 401, 409]).toContain(status);
    const survivors = await app.database.query("select username from users where is_active");
    expect(survivors).toHaveLength(1);
    await app.signIn(String(survivors[0]?.username));
  });

  it("twenty super admins who disable one another in a ring leave at least one, who can still sign in", async () => {
    const ring = [app.root];
    while (ring.length < 20) ring.push(await app.account("super_admin", { username: `boss_${ring.length}` }));
    const answers = await Promise.all(
      ring.map((account, index) =>
        account.put(`/api/users/${ring[(index + 1) % ring.length]?.id}`, { isActive: false }),
      ),
    );
    for (const { status } of answers) expect([200, 401, 409]).toContain(status);
    const survivors = await app.database.query("select username from users where is_active");
    expect(survivors).toHaveLength(20 - answers.filter(({ status }) => status === 200).length);
    expect(survivors.length).toBeGreaterThanOrEqual(1);
    await app.signIn(String(survivors[0]?.username));
  });
});
