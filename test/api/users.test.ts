import { describe, expect, it } from "vitest";
import type { Assignment } from "../../src/shared/assignments.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { User, UserList } from "../../src/shared/users.ts";
import { useApp } from "../harness/app.ts";
import {
  assign,
  buildUser,
  insertHosts,
  MISSING,
  now,
  readPages,
  unassign,
} from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { assertOk, type RestAnswer, type RestClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { insertSecondFactor } from "../harness/second-factor.ts";

const app = useApp();

const create = (username: string, more: object = {}) =>
  app.root.post("/api/users", buildUser({ username, ...more }));
const change = (id: string, changes: object) => app.root.put(`/api/users/${id}`, changes);
const reset = (id: string) => app.root.post(`/api/users/${id}/reset-password`);
const names = ({ data }: RestAnswer) =>
  data.users.map(({ username }: { username: string }) => username);

const rowsOf = (data: unknown) =>
  UserList.parse(data).users.map(({ username, hostCount, nextEnd }) => [
    username,
    hostCount,
    nextEnd,
  ]);

/**
 * Four clients of an admin. One has hosts that end soon, late and in the past, one another that ends
 * late, one a host whose end has passed, and one had a host.
 */
async function listedClients() {
  const admin = await app.account("admin");
  const ids: string[] = [];
  for (const username of ["soon", "late", "expired", "former"]) {
    const { data } = await assertOk(create(username, { name: username, adminId: admin.id }));
    ids.push(data.id);
  }
  const [soon = "", late = "", expired = "", former = ""] = ids;
  const [first = "", second = "", third = ""] = await insertHosts(app, [{}, {}, {}]);
  const past = { from: -9 * DAY_SECONDS, to: -DAY_SECONDS };

  const inThreeDays = await assign(app, first, soon, { to: 3 * DAY_SECONDS });
  const inThirtyDays = await assign(app, first, late, { to: 30 * DAY_SECONDS });
  await assign(app, second, soon, { to: 30 * DAY_SECONDS });
  await assign(app, third, soon, past);
  await assign(app, first, expired, past);
  await assign(app, first, former);
  await unassign(app, first, former);

  const ends = {
    soon: inThreeDays.assignedExpireTime,
    late: inThirtyDays.assignedExpireTime,
  };
  return { admin, ends };
}

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

  it("searches names, addresses and numbers literally, without regard to case", async () => {
    await create("wang_1", { name: "王 50%\\折", phone: "13936935382" });
    await create("wangx1", { name: "Ärger", email: "Wang.Wu@Example.com" });
    for (const [text, expected] of [
      ["WANG_", ["wang_1"]],
      ["50%", ["wang_1"]],
      ["%\\折", ["wang_1"]],
      ["  example.COM ", ["wangx1"]],
      ["ärg", ["wangx1"]],
      ["3693", ["wang_1"]],
      ["%%", []],
      ["   ", ["wangx1", "wang_1", "root"]],
      ["' or 1=1 --", []],
    ] as const) {
      const answer = await app.root.get(`/api/users?search=${encodeURIComponent(text)}`);
      expect([text, names(answer)]).toEqual([text, expected]);
    }
  });

  it("counts current assignments, and names the first end that has not passed", async () => {
    const { ends } = await listedClients();

    const { data } = await app.root.get("/api/users?role=client&sort=name");

    expect(rowsOf(data)).toEqual([
      ["expired", 1, null],
      ["former", 0, null],
      ["late", 1, ends.late],
      ["soon", 3, ends.soon],
    ]);
  });

  it.each([
    ["hostCount", "asc", ["former", "expired", "late", "soon"]],
    ["hostCount", "desc", ["soon", "expired", "late", "former"]],
    ["nextEnd", "asc", ["soon", "late", "expired", "former"]],
    ["nextEnd", "desc", ["late", "soon", "expired", "former"]],
    ["createdAt", "asc", ["soon", "late", "expired", "former"]],
    ["createdAt", "desc", ["former", "expired", "late", "soon"]],
  ])(
    "is sorted by %s %s, for every role, on pages of any length",
    async (sort, order, expected) => {
      const { admin } = await listedClients();

      for (const account of [app.root, admin]) {
        const path = `/api/users?role=client&sort=${sort}&order=${order}`;
        const pages = await readPages(account, path, 3);
        expect(pages.flatMap(names)).toEqual(expected);
      }
    },
  );

  it("is sorted by name as hosts are, with equal names by id", async () => {
    const sorted = ["阿明2", "阿明10", "重庆店", "运维", "Anna", "bob", "bob"];
    const ids = new Map<string, string[]>();
    for (const [index, name] of sorted.toReversed().entries()) {
      const { data } = await assertOk(create(`user${index}`, { name }));
      ids.set(name, [...(ids.get(name) ?? []), data.id]);
    }

    const upwards = await readPages(app.root, "/api/users?role=client&sort=name", 2);
    const downwards = await readPages(app.root, "/api/users?role=client&sort=name&order=desc", 2);

    const listed = upwards.flatMap(({ data }) => User.array().parse(data.users));
    expect(listed.map(({ name }) => name)).toEqual(sorted);
    expect(listed.slice(-2).map(({ id }) => id)).toEqual(ids.get("bob"));
    expect(downwards.flatMap(({ data }) => User.array().parse(data.users))).toEqual(
      listed.toReversed(),
    );
  });

  it("is narrowed by state, and by the super admin to the clients of an admin", async () => {
    const admin = await app.account("admin", { username: "boss" });
    await assertOk(create("mine", { adminId: admin.id }));
    const { data: off } = await assertOk(create("off", { adminId: admin.id }));
    await assertOk(change(off.id, { isActive: false }));
    await assertOk(create("stranger"));

    const lists = await Promise.all([
      app.root.get("/api/users?role=client&isActive=true"),
      app.root.get("/api/users?isActive=false"),
      app.root.get(`/api/users?adminId=${admin.id}`),
      admin.get("/api/users?isActive=false"),
    ]);

    expect(lists.map(names)).toEqual([["stranger", "mine"], ["off"], ["off", "mine"], ["off"]]);
    const { status, data } = await admin.get(`/api/users?adminId=${admin.id}`);
    expect([status, data.message]).toEqual([400, "不支持的参数 adminId"]);
  });

  it("is narrowed by the second factor, by super admins alone", async () => {
    const admin = await app.account("admin", { username: "boss" });
    const { data: safe } = await assertOk(create("safe", { adminId: admin.id }));
    await assertOk(create("plain", { adminId: admin.id }));
    await insertSecondFactor(app.database, safe.id);

    const lists = await Promise.all([
      app.root.get("/api/users?role=client&secondFactorEnabled=true"),
      app.root.get("/api/users?role=client&secondFactorEnabled=false"),
    ]);

    expect(lists.map(names)).toEqual([["safe"], ["plain"]]);
    const { status, data } = await admin.get("/api/users?secondFactorEnabled=true");
    expect([status, data.message]).toEqual([400, "不支持的参数 secondFactorEnabled"]);
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

describe("the current user", () => {
  async function adminAndClient() {
    const admin = await app.account("admin", { username: "boss" });
    await assertOk(change(admin.id, { phone: "13936935382", email: "boss@example.com" }));
    const client = await app.account("client", { adminId: admin.id });
    return { admin, client };
  }

  it("is told how to reach its admin, as it is now", async () => {
    const { admin, client } = await adminAndClient();

    const before = await client.get("/api/auth/me");
    await assertOk(change(admin.id, { phone: "13800000000", email: null }));
    const after = await client.get("/api/auth/me");

    const reference = { id: admin.id, username: "boss", name: "boss的姓名" };
    expect([before.data.admin, after.data.admin]).toEqual([
      { ...reference, phone: "13936935382", email: "boss@example.com" },
      { ...reference, phone: "13800000000", email: null },
    ]);
  });

  it.each(["super_admin", "admin", "client"] as const)(
    "chooses whether notices also come by e-mail, as %s",
    async (role) => {
      const person = await app.account(role);
      const other = await app.account(role);

      const changed = await assertOk(person.put("/api/auth/preferences", { email: false }));

      expect(changed.data).toEqual({ email: false });
      const preferences = async ({ get }: RestClient) =>
        (await get("/api/auth/me")).data.preferences;
      expect(await preferences(person)).toEqual({ email: false });
      expect(await preferences(other)).toEqual({ email: true });
    },
  );

  it("is not told of a former admin", async () => {
    const { client } = await adminAndClient();
    const other = await app.account("admin", { username: "other" });

    await assertOk(change(client.id, { adminId: other.id }));
    const moved = await client.get("/api/auth/me");
    await assertOk(change(client.id, { adminId: null }));
    const alone = await client.get("/api/auth/me");

    expect(moved.data.admin).toMatchObject({ id: other.id, phone: null, email: null });
    expect(alone.data.admin).toBe(null);
  });

  it("alone is told that: lists, single users and sign-ins name only the admin", async () => {
    const { admin, client } = await adminAndClient();

    const answers = [
      (await app.root.get("/api/users?role=client")).data.users[0],
      (await admin.get(`/api/users/${client.id}`)).data,
      (await client.post("/api/auth/refresh")).data.user,
      (
        await app.anonymous.post("/api/auth/login", {
          username: client.username,
          password: PASSWORD,
        })
      ).data.user,
    ];

    const reference = { id: admin.id, username: "boss", name: "boss的姓名" };
    expect(answers.map((user) => user.admin)).toEqual(Array(4).fill(reference));
  });
});
