import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { localDateTime } from "../../src/shared/shanghai.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp, useTeam } from "../harness/app.ts";
import { fixedClock, START } from "../harness/clocks.ts";
import { readCsv } from "../harness/csv.ts";
import { assign, decide, insertHost, requestRenewal, unassign } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { insertSecondFactor } from "../harness/second-factor.ts";

const clock = fixedClock();
const app = useApp({ overrides: { clock } });
const team = useTeam(app);

/** More rows than two portions have. */
const MANY = 1_100;

async function download(client: RestClient, path: string) {
  const answer = await assertOk(client.get(path));
  return readCsv(String(answer.body));
}

function headersOf([first = {}]: readonly Readonly<Record<string, string>>[]): string[] {
  return Object.keys(first);
}

describe("the export of users", () => {
  it("has the columns of the list, and two for super admins alone", async () => {
    await insertSecondFactor(app.database, team.client.id);
    await assertOk(app.root.put(`/api/users/${team.client.id}`, { note: "大客户" }));
    const hostId = await insertHost(app);
    await assertOk(app.root.post("/api/hosts/assign", { hostId, userId: team.client.id, days: 1 }));
    const path = `/api/users/export?search=${team.client.username}`;

    const forRoot = await download(app.root, path);
    const forAdmin = await download(team.admin, path);

    expect(forRoot).toEqual([
      {
        用户名: team.client.username,
        姓名: `${team.client.username}的姓名`,
        角色: "C端用户",
        邮箱: "",
        手机号: "",
        负责管理员: team.admin.username,
        状态: "启用",
        主机数: "1",
        下次到期: "2030-03-19 01:46:40",
        创建时间: "2030-03-18 01:46:40",
        两步验证: "已开启",
        内部备注: "大客户",
      },
    ]);
    expect(headersOf(forAdmin)).toEqual(headersOf(forRoot).slice(0, -2));
    expect(forAdmin).toMatchObject([{ 用户名: team.client.username }]);
  });

  it("has the clients of an admin alone", async () => {
    const records = await download(team.admin, "/api/users/export");

    expect(records.map((record) => record.用户名)).toEqual([team.client.username]);
  });

  it("refuses admins the filters that are for super admins, and everybody paging", async () => {
    const refused = await Promise.all([
      team.admin.get(`/api/users/export?adminId=${team.admin.id}`),
      team.admin.get("/api/users/export?secondFactorEnabled=true"),
      app.root.get("/api/users/export?page=2"),
      app.root.get("/api/users/export?limit=10"),
    ]);

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  it("has more users than a portion, each once and in the order of the list", async () => {
    await app.database.query(
      `insert into users
         (id, username, password_hash, name, role, is_active, must_change_password, created_at)
       select gen_random_uuid(), 'many_' || lpad(n::text, 4, '0'), 'x', '用户' || n, 'client',
         true, false, n / 10
       from generate_series(1, $1) n`,
      [MANY],
    );

    const records = await download(app.root, "/api/users/export?search=many_&sort=name");

    const expected = Array.from({ length: MANY }, (_, index) => `用户${index + 1}`);
    expect(records.map((record) => record.姓名)).toEqual(expected);
  });
});

describe("the export of users to an admin", () => {
  it("leaves out a client that is lost meanwhile, and none besides", async () => {
    // More than the network holds for a caller who reads nothing.
    await app.database.query(
      `insert into users
         (id, username, password_hash, name, role, admin_id, is_active, must_change_password,
          created_at)
       select gen_random_uuid(), 'many_' || n, 'x', repeat('x', 8000), 'client', $2,
         true, false, n
       from generate_series(1, $1) n`,
      [MANY, team.admin.id],
    );
    const response = await fetch(
      `${app.url}/api/users/export?search=many_&sort=createdAt&order=asc`,
      { headers: { authorization: `Bearer ${team.admin.token}`, "accept-encoding": "identity" } },
    );

    const lost = `many_${MANY}`;
    await app.database.query("update users set admin_id = null where username = $1", [lost]);
    const records = readCsv(await response.text());

    const expected = Array.from({ length: MANY - 1 }, (_, index) => `many_${index + 1}`);
    expect(records.map((record) => record.用户名)).toEqual(expected);
  });
});

describe("the export of renewals", () => {
  async function requested() {
    const hostId = await insertHost(app, { name: "=cmd()", expire_time: 1_888_888_888 });
    await assign(app, hostId, team.client.id);
    const id = await requestRenewal(team.client, hostId, 90);
    await decide(app, id, "rejected");
    return { hostId, id };
  }

  it("tells a client neither who decided nor the provider's end", async () => {
    await requested();

    const forClient = await download(team.client, "/api/renewals/export");
    const forAdmin = await download(team.admin, "/api/renewals/export");

    expect(forAdmin).toMatchObject([
      {
        申请人: `${team.client.username}的姓名`,
        用户名: team.client.username,
        主机: "'=cmd()",
        "CPU 核数": "4",
        "内存（GB）": "8",
        状态: "已拒绝",
        续费天数: "90",
        云端到期时间: "2029-11-09 11:21:28",
        处理人: "系统管理员",
        管理员备注: "已核对",
      },
    ]);
    expect(headersOf(forClient)).toEqual([
      "主机",
      "资源 ID",
      "CPU 核数",
      "内存（GB）",
      "状态",
      "续费天数",
      "我的到期时间",
      "续费后到期时间",
      "提交时间",
      "处理时间",
      "备注",
      "管理员备注",
    ]);
    expect(forClient).toMatchObject([{ 主机: "'=cmd()", 管理员备注: "已核对" }]);
  });

  it("says of open requests alone when they end if they are completed", async () => {
    const hostId = await insertHost(app, {});
    await assertOk(
      app.root.post("/api/hosts/assign", { hostId, userId: team.client.id, days: 90 }),
    );
    const rejected = await requestRenewal(team.client, hostId, 90);
    await decide(app, rejected, "rejected");
    await requestRenewal(team.client, hostId, 30);

    const records = await download(team.client, "/api/renewals/export");

    const after = localDateTime(clock.now() + (90 + 30) * DAY_SECONDS);
    expect(records.map(({ 续费后到期时间: end }) => end)).toEqual([after, ""]);
  });

  it("names a host that was taken back as it was at the request, but for super admins", async () => {
    const { hostId } = await requested();
    await assertOk(unassign(app, hostId, team.client.id));
    await app.database.query("update hosts set name = '新名字' where id = $1", [hostId]);

    const names = [];
    for (const reader of [app.root, team.admin, team.client]) {
      const records = await download(reader, "/api/renewals/export");
      names.push(records.map((record) => record.主机));
    }

    expect(names).toEqual([["新名字"], ["'=cmd()"], ["'=cmd()"]]);
  });

  it("has the requests in scope alone", async () => {
    await requested();

    const records = await download(team.otherAdmin, "/api/renewals/export");
    const ofOther = await download(team.otherClient, "/api/renewals/export");

    expect([records, ofOther]).toEqual([[], []]);
  });

  it("refuses clients the filter by user", async () => {
    const answer = await team.client.get(`/api/renewals/export?userId=${team.client.id}`);

    expect([answer.status, answer.data.code]).toEqual([400, "INVALID_INPUT"]);
  });

  /** Decided requests of the client for one host, the days telling them apart. */
  async function insertMany(remark: string): Promise<void> {
    const { id } = await requested();
    await app.database.query("delete from renewals where id <> $1", [id]);
    const [row] = await app.database.query(
      "select to_jsonb(r) as renewal from renewals r where id = $1",
      [id],
    );
    const rows = Array.from({ length: MANY }, (_, index) => ({
      ...Object(row?.renewal),
      id: v7({ msecs: (START + index) * 1_000 }),
      created_at: START + index,
      requested_duration: (index % 365) + 1,
      remark: `${index} ${remark}`,
    }));
    await app.database.query("delete from renewals");
    await insertRows(app.database, "renewals", rows);
  }

  it.each(["createdAt&order=asc", "createdAt&order=desc", "expireTime&order=asc"])(
    "has more requests than a portion, each once and in order, sorted by %s",
    async (sort) => {
      await insertMany("");

      const records = await download(team.admin, `/api/renewals/export?sort=${sort}`);

      const oldestFirst = Array.from({ length: MANY }, (_, index) => `${index} `);
      const isNewestFirst = sort !== "createdAt&order=asc";
      const expected = isNewestFirst ? oldestFirst.toReversed() : oldestFirst;
      expect(records.map((record) => record.备注)).toEqual(expected);
    },
  );

  it("ends with the requests that its admin lost while it was sent", async () => {
    await insertMany("长".repeat(480));
    await app.database.query(
      `insert into renewals
       select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
       from renewals r cross join generate_series(1, 9)`,
    );
    const headers = { authorization: `Bearer ${team.admin.token}` };
    const response = await fetch(`${app.url}/api/renewals/export`, { headers });

    await app.database.query("update users set admin_id = null where id = $1", [team.client.id]);
    const rows = readCsv(await response.text());

    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(10 * MANY);
  });
});

describe("the export of the audit log", () => {
  it("says in Chinese who did what, from where, and what it changed", async () => {
    const hostId = await insertHost(app, { name: "web-01" });
    await assertOk(
      app.root.post("/api/hosts/assign", { hostId, userId: team.client.id, days: 30 }),
    );

    const records = await download(app.root, `/api/audit/export?subjectId=${hostId}`);

    expect(records).toEqual([
      {
        时间: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        操作者: "系统管理员",
        操作者种类: "用户",
        "API 令牌": "",
        操作: "分配主机",
        对象种类: "主机",
        对象: "web-01",
        结果: "成功",
        来源地址: "127.0.0.1",
        浏览器或程序: expect.any(String),
        请求编号: expect.any(String),
        变化: expect.stringMatching(
          /^C端用户：.+的姓名; 用户开始：\d{4}-\d\d-\d\d \d\d:\d\d; 用户到期：\S+ \d\d:\d\d$/,
        ),
        次数: "1",
      },
    ]);
  });

  it("writes a changed field as its old and its new value", async () => {
    await assertOk(app.root.put(`/api/users/${team.client.id}`, { isActive: false }));

    const records = await download(app.root, "/api/audit/export?action=users.update");

    expect(records.map((record) => record.变化)).toEqual([
      expect.stringContaining("启用：是 → 否"),
    ]);
  });

  it("tells in Chinese what another export was narrowed by", async () => {
    await download(app.root, "/api/users/export?role=client&isActive=true");

    const records = await download(app.root, "/api/audit/export?action=users.export");

    expect(records.map((record) => record.变化)).toEqual([
      expect.stringContaining("筛选条件：角色：C端用户、启用：是"),
    ]);
  });

  it("is for super admins alone", async () => {
    const answers = await Promise.all(
      [team.admin, team.client].map((reader) => reader.get("/api/audit/export")),
    );

    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });

  it("is an entry itself, with the filter", async () => {
    await download(app.root, "/api/audit/export?outcome=denied");

    const { data } = await app.root.get("/api/audit?action=audit.export");
    expect(data.entries).toMatchObject([
      { outcome: "ok", changes: [{ field: "filter", from: null, to: ["outcome=denied"] }] },
    ]);
  });

  /** Three in a second, so that a second lies in two portions. */
  async function insertManyEntries(): Promise<void> {
    await app.database.query(
      `insert into audit_entries
         (id, at, actor_type, actor_name, action, outcome, request_id, count)
       select gen_random_uuid(), $1 - n / 3, 'user',
         case when n % 400 = 0 then '张三' else '李四' end, 'users.update', 'ok', n::text, 1
       from generate_series($2, 1, -1) n`,
      [START - DAY_SECONDS, MANY],
    );
  }

  it("has more entries than a portion, each once, newest first", async () => {
    await insertManyEntries();

    const records = await download(app.root, "/api/audit/export?action=users.update");

    const expected = Array.from({ length: MANY }, (_, index) => `${index + 1}`);
    expect(records.map((record) => record.请求编号)).toEqual(expected);
  });

  it("begins before its search has looked at all, and ends with the session", async () => {
    await app.database.query(
      `insert into audit_entries
         (id, at, actor_type, actor_name, action, outcome, request_id, count)
       select gen_random_uuid(), $1 - n, 'user', '李四', 'users.update', 'ok', n::text, 1
       from generate_series(1, 20000) n`,
      [START - DAY_SECONDS],
    );
    const reader = await app.account("super_admin");
    const headers = { authorization: `Bearer ${reader.token}` };
    const response = await fetch(`${app.url}/api/audit/export?search=nobody`, { headers });

    await assertOk(reader.post("/api/auth/logout"));

    await expect(response.text()).rejects.toThrow();
  });

  it("has what a search finds in any portion", async () => {
    await insertManyEntries();

    const records = await download(app.root, "/api/audit/export?search=张三");

    expect(records.map((record) => record.请求编号)).toEqual(["400", "800"]);
  });
});
