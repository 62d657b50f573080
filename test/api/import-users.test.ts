import { describe, expect, it, vi } from "vitest";
import { User } from "../../src/shared/users.ts";
import { makeToken } from "../harness/api-tokens.ts";
import { useApp } from "../harness/app.ts";
import { buildUser } from "../harness/data.ts";
import { importFile, outcomesOf, type SentImport, sendImport } from "../harness/imports.ts";
import { assertOk } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";

const app = useApp();

type Row = readonly string[];

const HEADER: Row = ["用户名", "姓名", "角色", "邮箱", "手机号", "负责管理员", "初始密码"];
const ZHANG: Row = ["zhang", "张三", "C端用户", "z@example.com", "13800000001", "", PASSWORD];

const fileOf = (...rows: readonly Row[]): SentImport => ({
  kind: "users",
  file: [HEADER, ...rows],
});
const importRows = (...rows: readonly Row[]) => importFile(app.root, fileOf(...rows));
const create = (more: object = {}) => assertOk(app.root.post("/api/users", buildUser(more)));

async function findUser(username: string): Promise<User> {
  const { data } = await assertOk(app.root.get(`/api/users?search=${username}`));
  const found = data.users.find((user: User) => user.username === username);
  return User.parse(found);
}

async function countUsers(): Promise<number> {
  const { data } = await assertOk(app.root.get("/api/users"));
  return data.pagination.total;
}

async function lastEventId(): Promise<unknown> {
  const [row] = await app.database.query("select max(id) as id from events");
  return row?.id;
}

async function auditActions(): Promise<string[]> {
  const { data } = await assertOk(app.root.get("/api/audit?limit=100"));
  return data.entries.map(({ action }: { action: string }) => action);
}

describe("a new user of a file", () => {
  it("gets the fields of its row and signs in with the given password", async () => {
    await app.account("admin", { username: "li_si" });

    const result = await importRows([...ZHANG.slice(0, 5), "LI_SI", PASSWORD]);

    expect(result.summary).toEqual({ create: 1, update: 0, skip: 0, failed: 0 });
    expect(result.rows).toEqual([{ line: 2, action: "create", ok: true, errors: [] }]);
    expect(await findUser("zhang")).toMatchObject({
      name: "张三",
      role: "client",
      email: "z@example.com",
      phone: "13800000001",
      admin: { username: "li_si" },
      mustChangePassword: false,
    });
    await app.signIn("zhang");
  });

  it("without a password gets a random one that must be changed", async () => {
    const { rows } = await importRows(["zhang", "张三", "client", "", "", "", ""]);

    const initialPassword = rows[0]?.initialPassword;
    expect(initialPassword).toMatch(/^\S{20,}$/);
    const account = await app.signIn("zhang", initialPassword);
    expect((await account.get("/api/hosts")).status).toBe(403);
    expect((await account.get("/api/auth/me")).data.mustChangePassword).toBe(true);
  });

  it("may have an admin who is created further down in the file", async () => {
    const client = ["zhang", "张三", "C端用户", "", "", "li_si", PASSWORD];
    const admin = ["li_si", "李四", "管理员", "", "", "", PASSWORD];

    const dry = await importFile(app.root, { ...fileOf(client, admin), dryRun: true });
    const real = await importRows(client, admin);

    expect(outcomesOf(dry)).toEqual(["2 create", "3 create"]);
    expect(outcomesOf(real)).toEqual(["2 create", "3 create"]);
    expect((await findUser("zhang")).admin?.username).toBe("li_si");
  });

  it.each([
    ["no username", ["", "张三", "C端用户"], ["username 用户名不能为空"]],
    [
      "a username of Han characters",
      ["张三丰", "张三", "C端用户"],
      ["username 用户名只能包含字母、数字和下划线"],
    ],
    ["no name", ["zhang", " ", "C端用户"], ["name 姓名不能为空"]],
    ["no role", ["zhang", "张三", ""], ["role 角色只能是管理员或C端用户"]],
    [
      "the role of a super admin",
      ["zhang", "张三", "超级管理员"],
      ["role 角色只能是管理员或C端用户"],
    ],
    ["a wrong e-mail", ["zhang", "张三", "C端用户", "x"], ["email 邮箱格式不正确"]],
    ["a wrong phone", ["zhang", "张三", "C端用户", "", "123"], ["phone 手机号格式不正确"]],
    [
      "an admin who does not exist",
      ["zhang", "张三", "C端用户", "", "", "nobody"],
      ["adminId 负责管理员不存在或已停用，请填写管理员的用户名"],
    ],
    [
      "an admin although it is one",
      ["zhang", "张三", "管理员", "", "", "root"],
      ["adminId 只有C端用户可以设置负责管理员"],
    ],
    [
      "a common password",
      ["zhang", "张三", "C端用户", "", "", "", "Password1"],
      ["password 该密码过于常见，请更换一个更复杂的密码"],
    ],
    [
      "a short password",
      ["zhang", "张三", "C端用户", "", "", "", "Aa1"],
      ["password 密码长度必须为 8-128 个字符"],
    ],
  ])("with %s is refused, and the other rows are not", async (_what, cells, reasons) => {
    const row = [...cells, ...Array(HEADER.length - cells.length).fill("")];

    const result = await importRows(row, ["wang", "王五", "C端用户", "", "", "", PASSWORD]);

    expect(outcomesOf(result)).toEqual([`2 create failed: ${reasons.join("; ")}`, "3 create"]);
    expect(await countUsers()).toBe(2);
  });
});

describe("an admin who is named by the name of the person", () => {
  const row = ["zhang", "张三", "C端用户", "", "", "李四", ""];
  const createAdmin = (username: string) => create({ username, name: "李四", role: "admin" });

  it("is told by the username", async () => {
    await createAdmin("li_si");

    expect(outcomesOf(await importRows(row))).toEqual([
      "2 create failed: adminId 请填写管理员的用户名：“李四”的用户名是 li_si",
    ]);
  });

  it("is not guessed among several", async () => {
    await createAdmin("li_si");
    await createAdmin("li_si_2");

    expect(outcomesOf(await importRows(row))).toEqual([
      "2 create failed: adminId 有 2 位管理员叫“李四”，请填写管理员的用户名",
    ]);
  });
});

describe("a present user of a file", () => {
  it("is changed where a filled cell differs, found in any case", async () => {
    await create({ email: "old@example.com", phone: "13800000001" });

    const result = await importRows(["ZHANG", "", "C端用户", "new@example.com", "", "", ""]);

    expect(outcomesOf(result)).toEqual(["2 update"]);
    expect(await findUser("zhang")).toMatchObject({
      name: "张三",
      email: "new@example.com",
      phone: "13800000001",
    });
  });

  it("keeps its role: another one is refused", async () => {
    await create();

    const result = await importRows(["zhang", "张三", "管理员", "", "", "", ""]);

    expect(outcomesOf(result)).toEqual([
      "2 update failed: role 已有用户的角色不能修改，现在是 C端用户",
    ]);
  });

  it("keeps its password, whatever the file says", async () => {
    await create();

    const result = await importRows(["zhang", "张三", "", "", "", "", "Other4Password"]);

    expect(outcomesOf(result)).toEqual(["2 skip"]);
    await app.signIn("zhang");
  });

  it("that is a super admin is changed as by a call", async () => {
    const result = await importRows(["root", "", "超级管理员", "root@example.com", "", "", ""]);

    expect(outcomesOf(result)).toEqual(["2 update"]);
  });

  it.each([true, false])("has its overwritten values told (dryRun=%s)", async (dryRun) => {
    const { id: adminId } = await app.account("admin", { username: "wang_wu" });
    await app.account("admin", { username: "li_si" });
    await create({ email: "old@example.com", adminId });
    const row = ["zhang", "张小三", "", "old@example.com", "13800000001", "LI_SI", ""];

    const { rows } = await importFile(app.root, { ...fileOf(row), dryRun });

    expect(rows[0]?.changes).toEqual([
      { field: "name", from: "张三", to: "张小三" },
      { field: "phone", from: "", to: "13800000001" },
      { field: "adminId", from: "wang_wu", to: "li_si" },
    ]);
  });

  it("moves to another admin", async () => {
    await app.account("admin", { username: "li_si" });
    await create();

    const result = await importRows(["zhang", "", "", "", "", "li_si", ""]);

    expect(outcomesOf(result)).toEqual(["2 update"]);
    expect((await findUser("zhang")).admin?.username).toBe("li_si");
  });
});

describe("the same file", () => {
  it("a second time writes nothing but the entry of the import", async () => {
    await importRows(ZHANG);
    const [eventId, actions] = [await lastEventId(), await auditActions()];

    const again = await importRows(ZHANG);

    expect(again.summary).toEqual({ create: 0, update: 0, skip: 1, failed: 0 });
    expect(await lastEventId()).toEqual(eventId);
    expect(await auditActions()).toEqual(["users.import", ...actions]);
  });

  it("sent twice at once creates each user once", async () => {
    const rows = Array.from({ length: 10 }, (_, index) => [`user_${index}`, ...ZHANG.slice(1)]);

    const answers = await Promise.all([
      sendImport(app.root, fileOf(...rows)),
      sendImport(app.root, fileOf(...rows)),
    ]);
    const third = await importRows(...rows);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(third.summary).toEqual({ create: 0, update: 0, skip: 10, failed: 0 });
    expect(await countUsers()).toBe(11);
  });

  it("is told of its fault while another import writes, and only a good one must wait", async () => {
    const own = await app.account("super_admin");
    const rows = Array.from({ length: 500 }, (_, n) => [`u_${n}`, "张三", "client"]);
    const header = HEADER.slice(0, 3);
    const running = sendImport(own, { kind: "users", file: [header, ...rows] });
    await vi.waitFor(async () => expect(await countUsers()).toBeGreaterThan(3), 30_000);

    const broken = await sendImport(app.root, { kind: "users", file: "姓名,颜色\n张三,红\n" });
    const good = await sendImport(app.root, fileOf(ZHANG));

    await assertOk(own.post("/api/auth/logout"));
    await running;
    expect([broken.status, broken.data.code]).toEqual([400, "INVALID_INPUT"]);
    expect([good.status, good.data.code]).toEqual([409, "STATE_CONFLICT"]);
  });

  it("a second time changes nothing where a name was pasted with an invisible character", async () => {
    const row = ["zhang", "张三\u200B", ...ZHANG.slice(2)];
    await importRows(row);

    expect(outcomesOf(await importRows(row))).toEqual(["2 skip"]);
  });

  it("says of each row without a username that it lacks one", async () => {
    const rows = ["张三", "李四"].map((name) => ["", name, ...ZHANG.slice(2)]);

    const result = await importRows(...rows);

    expect(outcomesOf(result)).toEqual(
      [2, 3].map((line) => `${line} create failed: username 用户名不能为空`),
    );
  });

  it("names a user twice: the second row is refused", async () => {
    const result = await importRows(ZHANG, ["Zhang", ...ZHANG.slice(1)]);

    expect(outcomesOf(result)).toEqual(["2 create", "3 skip failed: username 用户名与第 2 行重复"]);
  });
});

describe("a dry run", () => {
  it("decides as an import and writes nothing", async () => {
    await create();
    const eventId = await lastEventId();
    const changed = ["zhang", "张小三", "", "", "", "", ""];
    const added = ["wang", "王五", "管理员", "", "", "", ""];

    const result = await importFile(app.root, { ...fileOf(changed, added), dryRun: true });

    expect(outcomesOf(result)).toEqual(["2 update", "3 create"]);
    expect(result.rows[1]?.initialPassword).toBeUndefined();
    expect(await countUsers()).toBe(2);
    expect(await lastEventId()).toEqual(eventId);
  });

  it("is what an absent dryRun means", async () => {
    const headers = { "content-type": "text/csv" };

    const body = "用户名,姓名,角色\r\nzhang,张三,C端用户\r\n";
    const answer = await app.root.raw("POST", "/api/users/import", { body, headers });

    expect(answer.data.summary).toEqual({ create: 1, update: 0, skip: 0, failed: 0 });
    expect(await countUsers()).toBe(1);
  });
});

describe("the audit log", () => {
  it("has an entry of each row and one of the import", async () => {
    await create();

    await importRows(
      ["zhang", "张小三", "", "", "", "", ""],
      ["wang", "王五", "C端用户", "", "", "", ""],
      ["x", "", "", "", "", "", ""],
    );

    const { data } = await assertOk(app.root.get("/api/audit?action=users"));
    expect(
      data.entries
        .slice(0, 3)
        .map(({ action }: { action: string }) => action)
        .toSorted(),
    ).toEqual(["users.create", "users.import", "users.update"]);
    expect(
      data.entries.find(({ action }: { action: string }) => action === "users.import").changes,
    ).toEqual([
      { field: "createdRows", from: null, to: 1 },
      { field: "updatedRows", from: null, to: 1 },
      { field: "failedRows", from: null, to: 1 },
    ]);
    expect(JSON.stringify(data)).not.toContain(PASSWORD);
  });
});

describe("who may import users", () => {
  it.each(["admin", "client"] as const)("not an %s", async (role) => {
    const account = await app.account(role);

    const answer = await sendImport(account, fileOf(ZHANG));

    expect(answer.status).toBe(403);
  });

  it("nobody whose session ends meanwhile: the rest of the file is not written", async () => {
    const own = await app.account("super_admin");
    const rows = Array.from({ length: 500 }, (_, n) => [
      `u_${n}`,
      "张三",
      "client",
      "",
      "",
      "",
      "",
    ]);
    const answer = sendImport(own, fileOf(...rows));
    await vi.waitFor(async () => expect(await countUsers()).toBeGreaterThan(3), 30_000);
    await assertOk(own.post("/api/auth/logout"));
    const written = await countUsers();

    const { status, data } = await answer;

    expect([status, data.code]).toEqual([401, "UNAUTHENTICATED"]);
    // Two were under way.
    expect(await countUsers()).toBeLessThanOrEqual(written + 2);
  });

  it("who signs in elsewhere meanwhile, which waits for no import and ends none", async () => {
    const own = await app.account("super_admin");
    const rows = Array.from({ length: 300 }, (_, n) => [`u_${n}`, "张三", "client"]);
    const file = [HEADER.slice(0, 3), ...rows];
    const imported = sendImport(own, { kind: "users", file });
    await vi.waitFor(async () => expect(await countUsers()).toBeGreaterThan(3), 30_000);

    const first = await Promise.race([
      app.signIn(own.username).then(() => "sign-in"),
      imported.then(() => "import"),
    ]);

    expect(first).toBe("sign-in");
    const { status, data } = await imported;
    expect([status, data.summary.create]).toEqual([200, rows.length]);
  });

  it("a token with the scope full, not one with the scope read", async () => {
    const full = await makeToken(app.url, app.root, { scope: "full" });
    const read = await makeToken(app.url, app.root, { scope: "read" });

    expect((await sendImport(read.client, fileOf(ZHANG))).data.code).toBe("TOKEN_SCOPE");
    expect((await sendImport(full.client, fileOf(ZHANG))).status).toBe(200);
  });

  it("nobody over tRPC, which takes no file", async () => {
    const answer = await app.root.post("/trpc/users.import", { file: "x", dryRun: true });

    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain("请通过 POST /api/users/import 上传");
  });
});

it("the template is a file with the header alone", async () => {
  const { status, headers, body } = await app.root.get("/api/users/import-template");

  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(body).toBe(`${HEADER.join(",")}\r\n`);
});
