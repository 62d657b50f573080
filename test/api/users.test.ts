import { describe, expect, it } from "vitest";
import type { Assignment } from "../../src/shared/assignments.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { assign, buildUser, insertHosts, MISSING, now, unassign } from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { assertOk, type RestAnswer } from "../harness/rest.ts";

const app = useApp();

const create = (username: string, more: object = {}) =>
  app.root.post("/api/users", buildUser({ username, ...more }));
const change = (id: string, changes: object) => app.root.put(`/api/users/${id}`, changes);
const reset = (id: string) => app.root.post(`/api/users/${id}/reset-password`);
const names = ({ data }: RestAnswer) =>
  data.users.map(({ username }: { username: string }) => username);

describe("the list of users", () => {
  it("shows all users to a super admin, newest first, each client with its admin", async () => {
    const admin = await app.account("admin", { username: "boss" });
    await assertOk(create("two"));
    await assertOk(create("three", { adminId: admin.id }));
    const first = await app.root.get("/api/users?limit=3");
    expect(names(first)).toEqual(["three", "two", "boss"]);
    expect(first.data.users[0].admin).toEqual({
      id: admin.id,
      name: "boss的姓名",
      username: "boss",
    });
    expect(first.data.pagination).toEqual({ page: 1, limit: 3, total: 4, totalPages: 2 });
    expect(names(await app.root.get("/api/users?limit=3&page=2"))).toEqual(["root"]);
    const beyond = await app.root.get("/api/users?limit=3&page=999999999999999");
    expect([names(beyond), beyond.data.pagination.total]).toEqual([[], 4]);
    expect(JSON.stringify(first.data)).not.toMatch(/password_?hash|argon2/i);
  });

  it("searches names and addresses literally and case-insensitively, after trimming", async () => {
    await create("wang_1", { name: "王 50%\\折" });
    await create("wangx1", { name: "Ärger", email: "Wang.Wu@Example.com" });
    for (const [text, expected] of [
      ["WANG_", ["wang_1"]],
      ["50%", ["wang_1"]],
      ["%\\折", ["wang_1"]],
      ["  example.COM ", ["wangx1"]],
      ["ärg", ["wangx1"]],
      ["%%", []],
      ["   ", ["wangx1", "wang_1", "root"]],
      ["' or 1=1 --", []],
    ] as const) {
      const answer = await app.root.get(`/api/users?search=${encodeURIComponent(text)}`);
      expect([text, names(answer)]).toEqual([text, expected]);
    }
  });

  it("lists what a user has and had, newest first, and less to the client", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const named = ["a", "b", "c"].map((name) => ({ name, ucloud_id: `uhost-${name}` }));
    const [first = "", second = "", future = ""] = await insertHosts(app, named);
    await assign(app, first, client.id);
    await unassign(app, first, client.id);
    await assign(app, second, client.id);
    await assign(app, future, client.id, { from: DAY_SECONDS });
    const forAdmins = { assignedBy: { id: app.root.id, name: "系统管理员" }, remark: "合同 7" };
    await app.database.query("update assignments set remark = '合同 7'");
    for (const [account, expected] of [
      [app.root, ["c now", "b now", "a ended"]],
      [admin, ["c now", "b now", "uhost-a ended"]],
      [client, ["b now", "uhost-a ended"]],
    ] as const) {
      const listed: Assignment[] = (await account.get(`/api/users/${client.id}/assignments`)).data
        .assignments;
      expect(
        listed.map(({ host, endedAt }) => `${host.name} ${endedAt === null ? "now" : "ended"}`),
      ).toEqual(expected);
      const shown = account === client ? { assignedBy: null, remark: null } : forAdmins;
      expect(listed).toMatchObject(expected.map(() => shown));
    }

    const page = await app.root.get(`/api/users/${client.id}/assignments?limit=2&page=2`);

    expect([page.data.assignments.length, page.data.pagination.total]).toEqual([1, 3]);
  });
});

describe("creating a user", () => {
  it("returns 201 and the user, who can sign in at once; the name is taken in any case", async () => {
    const user = { name: "张三", role: "client", email: "z@example.com", phone: "13800000000" };
    const { status, data } = await create("zhang", user);
    const rest = { username: "zhang", isActive: true, adminId: null, mustChangePassword: false };
    expect([status, data]).toMatchObject([201, { ...user, ...rest }]);
    expect(Math.abs(data.createdAt - now())).toBeLessThan(60);
    await app.signIn("zhang");
    const taken = { status: 409, data: { code: "CONFLICT", message: "用户名已存在" } };
    expect(await create("ZHANG")).toMatchObject(taken);
  });

  it.each([3, 4, 5, 6, 7, 8, 9])("accepts mobile numbers that begin with 1%i", async (digit) => {
    const phone = `1${digit}012345678`;

    const { status, data } = await create(`zhang${digit}`, { phone });

    expect([status, data.phone]).toEqual([201, phone]);
  });

  it("keeps text byte for byte and stores an empty address as null", async () => {
    const name = " <b>=cmd|' /C'!A0</b>\u202e😀\u0301 ";

    const { data } = await create("zhang", { name, email: "", phone: "" });

    expect(data).toMatchObject({ name, email: null, phone: null });
    expect((await app.root.get(`/api/users/${data.id}`)).data.name).toBe(name);
  });

  it("drops invisible characters around a name, and keeps those inside", async () => {
    const { data } = await create("zhang", {
      name: "\u200b \ufeff家人👨\u200d👩\u200d👧 \u200fعمر\u200f ❤\ufe0f\u2060",
    });

    expect(data.name).toBe("家人👨\u200d👩\u200d👧 \u200fعمر\u200f ❤\ufe0f");
  });

  describe("under an admin that is being disabled", () => {
    async function raceForAdmin() {
      const admin = await app.account("admin");
      const lock = await holdLock(app.database, "select from users where id = $1 for update", [
        admin.id,
      ]);
      const clients = () =>
        app.database.query("select username from users where admin_id = $1", [admin.id]);
      return { admin, lock, clients };
    }

    itOnPostgresql("succeeds before, and the client is left without one", async () => {
      const { admin, lock: held, clients } = await raceForAdmin();
      await using lock = held;
      const creating = create("zhang", { adminId: admin.id });
      await lock.awaited(1);
      const disabling = change(admin.id, { isActive: false });
      await lock.awaited(2);

      await lock.release();

      expect([(await creating).status, (await disabling).status]).toEqual([201, 200]);
      expect(await clients()).toEqual([]);
    });

    itOnPostgresql("is refused after it", async () => {
      const { admin, lock: held, clients } = await raceForAdmin();
      await using lock = held;
      const disabling = change(admin.id, { isActive: false });
      await lock.awaited(1);
      const creating = create("zhang", { adminId: admin.id });
      await lock.awaited(2);

      await lock.release();

      expect((await disabling).status).toBe(200);
      expect(await creating).toMatchObject({
        status: 400,
        data: { errors: [{ field: "adminId" }] },
      });
      expect(await clients()).toEqual([]);
    });
  });
});

describe("changing a user", () => {
  it("changes the given fields and keeps the rest", async () => {
    const { id } = await app.account("client");
    const full = { name: "新名字", email: "new@example.com", phone: "13900000000" };
    for (const [changes, expected] of [
      [full, { id, ...full, isActive: true }],
      [{ phone: "" }, { ...full, phone: null }],
      [{ email: null }, { name: "新名字", email: null }],
      [{}, { name: "新名字" }],
    ] as const) {
      expect(await change(id, changes)).toMatchObject({ status: 200, data: expected });
    }
  });

  it.each([
    ["disable", "不能停用自己的账号", (id: string) => change(id, { isActive: false })],
    ["delete", "不能删除自己的账号", (id: string) => app.root.delete(`/api/users/${id}`)],
    ["reset the password of", "不能重置自己的密码，请使用修改密码", reset],
  ])(
    "a super admin cannot %s its own account, in whatever case its id is written",
    async (_act, message, call) => {
      await app.account("super_admin");
      for (const id of [app.root.id, app.root.id.toUpperCase()]) {
        expect(await call(id)).toMatchObject({ status: 409, data: { code: "CONFLICT", message } });
      }

      expect((await change(app.root.id, { isActive: true, name: "我" })).status).toBe(200);
    },
  );
});

describe("the admin of a client", () => {
  it("can be set, changed and removed, and the former one no longer finds the client", async () => {
    const admin = await app.account("admin");
    const other = await app.account("admin");
    const { id } = (await create("one", { adminId: admin.id })).data;

    expect((await change(id, { adminId: other.id })).data.admin.id).toBe(other.id);
    expect((await admin.get(`/api/users/${id}`)).status).toBe(404);
    expect((await other.get(`/api/users/${id}`)).status).toBe(200);
    expect((await change(id, { adminId: null })).data.admin).toBeNull();
  });

  it("is only set on a client, and only to an active admin", async () => {
    const admin = await app.account("admin");
    const disabled = await app.account("admin");
    const client = await app.account("client");
    const another = await app.account("client");
    await change(disabled.id, { isActive: false });
    const wrong = [another.id, client.id, app.root.id, MISSING, disabled.id];
    const answers = [
      ...wrong.map((adminId) => create("zhang", { adminId })),
      create("zhang", { role: "admin", adminId: admin.id }),
      ...wrong.map((adminId) => change(client.id, { adminId })),
      ...[admin.id, app.root.id].map((id) => change(id, { adminId: admin.id })),
    ];
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ status: 400, data: { errors: [{ field: "adminId" }] } });
    }
  });

  it("leaves its clients without one when disabled or deleted, for good", async () => {
    const disabled = await app.account("admin");
    const deleted = await app.account("admin");
    const clients = [await app.account("client", { adminId: disabled.id })];
    clients.push(await app.account("client", { adminId: deleted.id }));
    await change(disabled.id, { isActive: false });
    await app.root.delete(`/api/users/${deleted.id}`);
    for (const client of clients) {
      expect((await client.get("/api/auth/me")).data).toMatchObject({
        adminId: null,
        admin: null,
        isActive: true,
      });
    }

    await change(disabled.id, { isActive: true });

    expect(names(await (await app.signIn(disabled.username)).get("/api/users"))).toEqual([]);
  });
});
