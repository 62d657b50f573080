import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { localDate } from "../../src/shared/shanghai.ts";
import { makeToken } from "../harness/api-tokens.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import { readCsv } from "../harness/csv.ts";
import { assign, insertHost, insertHosts, now } from "../harness/data.ts";
import { HAS_CONCURRENT_SESSIONS } from "../harness/database.ts";
import { holdLock } from "../harness/hold-lock.ts";
import { useLogLines } from "../harness/log-lines.ts";
import { assertOk } from "../harness/rest.ts";
import { callAlone, procedureOf } from "../harness/transports.ts";

const { lines, log } = useLogLines();
const app = useApp({ overrides: { log } });
const team = useTeam(app);

const EXPORT = "/api/hosts/export";
const FOR_EVERYBODY = [
  "主机",
  "资源 ID",
  "状态",
  "地域",
  "可用区",
  "CPU 核数",
  "内存（GB）",
  "磁盘（GB）",
  "操作系统",
  "IP",
  "计费",
  "分配用户",
  "用户开始",
  "用户到期",
];
const FOR_ADMINS = ["自动续费", "云端到期", "标签"];
const FOR_SUPER_ADMINS = ["内部备注", "云账号", "项目"];

/** The bytes are needed as they are sent: a byte order mark is no part of a text. */
async function exportText(account: Account, query = ""): Promise<string> {
  const response = await open(account, query);
  return Buffer.from(await response.arrayBuffer()).toString("utf8");
}

async function exportRows(account: Account, query = "") {
  return readCsv(await exportText(account, query));
}

async function exportedNames(query = "") {
  return (await exportRows(app.root, query)).map((row) => row.主机);
}

/** The answer of which nothing has been read yet; not compressed, so that it is long. */
function open({ token }: Account, query = "", signal?: AbortSignal): Promise<Response> {
  return fetch(`${app.url}${EXPORT}${query}`, {
    headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" },
    signal: signal ?? null,
  });
}

describe("the file", () => {
  it("is CSV in UTF-8 with a byte order mark, CR LF and a name with the date of Shanghai", async () => {
    await insertHosts(app, [{ name: "网站-1" }]);

    const { headers } = await app.root.get(EXPORT);
    const text = await exportText(app.root);

    const date = localDate(now());
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="hosts-${date}.csv"; filename*=UTF-8''${encodeURIComponent("主机")}-${date}.csv`,
    );
    expect(text).toMatch(/^\uFEFF主机,资源 ID,.*\r\n网站-1,uhost-.*\r\n$/);
  });

  it("has its head also when there are no hosts", async () => {
    expect(await exportText(app.root)).toMatch(/^\uFEFF主机,资源 ID,.*\r\n$/);
  });

  it("gives names back as they are, whatever is in them", async () => {
    const names = ['他说"好"', "a,b", "两\n行", "两\r行", " 空格 ", "🐫 云", "'引号"];
    await insertHosts(
      app,
      names.map((name) => ({ name })),
    );

    expect((await exportedNames()).toSorted()).toEqual(names.toSorted());
  });

  it("makes text of names that a spreadsheet would calculate", async () => {
    const names = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠A"];
    await insertHosts(
      app,
      names.map((name) => ({ name })),
    );

    const expected = names.map((name) => `'${name}`);
    expect((await exportedNames()).toSorted()).toEqual(expected.toSorted());
  });

  it("leaves numbers and times as they are", async () => {
    await insertHost(app, { cpu: -1, memory: 512, expire_time: 1_900_000_000 });

    expect(await exportRows(app.root)).toMatchObject([
      { "CPU 核数": "-1", "内存（GB）": "0.5", 云端到期: "2030-03-18 01:46:40" },
    ]);
  });

  it("has the hosts in the order of the list", async () => {
    await insertHosts(app, [
      { name: "乙", cpu: 2 },
      { name: "甲", cpu: 2 },
      { name: "丙", cpu: 8 },
    ]);

    expect(await exportedNames("?sort=cpu&order=desc")).toEqual(["丙", "甲", "乙"]);
  });
});

describe("a host", () => {
  const own = { name: "共用", auto_renew: true, ip_set: [{ Type: "Bgp", IP: "106.75.3.9" }] };

  beforeEach(async () => {
    const configId = await app.config({ name: "主账号" });
    const id = await insertHost(app, { ...own, config_id: configId, project_id: "org-7" });
    await app.database.query(
      "update hosts set tags = '[\"生产\", \"客户 A\"]', note = '合同 7' where id = $1",
      [id],
    );
    for (const { id: userId } of [team.client, team.otherClient]) await assign(app, id, userId);
  });

  it("shows a super admin all users, the account, the project and the note", async () => {
    const [row = {}] = await exportRows(app.root);

    expect(Object.keys(row)).toEqual([...FOR_EVERYBODY, ...FOR_ADMINS, ...FOR_SUPER_ADMINS]);
    expect(row).toMatchObject({
      状态: "运行中",
      地域: "华北（北京2）",
      可用区: "华北（北京2）可用区E",
      计费: "包月",
      自动续费: "已开启",
      标签: "生产; 客户 A",
      内部备注: "合同 7",
      云账号: "主账号",
      项目: "org-7",
    });
    expect(row.分配用户?.split("; ")).toHaveLength(2);
    expect(row.用户到期?.split("; ")).toHaveLength(2);
  });

  it("shows an admin the own client alone, and no account, project and note", async () => {
    const [row = {}] = await exportRows(team.admin);

    expect(Object.keys(row)).toEqual([...FOR_EVERYBODY, ...FOR_ADMINS]);
    expect(row.标签).toBe("生产; 客户 A");
    expect(row.分配用户).toContain(`（${team.client.username}）`);
    expect(row.分配用户).not.toContain(";");
  });

  it("shows a client itself alone, and nothing of the provider's terms", async () => {
    const [row = {}] = await exportRows(team.client);

    expect(Object.keys(row)).toEqual(FOR_EVERYBODY);
    expect(row.分配用户).toContain(`（${team.client.username}）`);
    expect(row.分配用户).not.toContain(";");
  });

  it.each([true, false])("shows a client its addresses when the setting is %s", async (isShown) => {
    await assertOk(app.root.put("/api/system-config", { show_network_info_to_client: isShown }));

    const [row = {}] = await exportRows(team.client);

    expect(row.IP).toBe(isShown ? "106.75.3.9" : "");
  });
});

describe("the call", () => {
  it("is recorded with its filter and the number of hosts", async () => {
    await insertHosts(app, [{ region: "hk" }, { region: "hk" }, {}]);

    await exportText(app.root, "?region=hk&sort=cpu");

    const { data } = await app.root.get("/api/audit?action=hosts.export");
    expect(data.entries).toMatchObject([
      {
        outcome: "ok",
        subject: null,
        changes: [
          { field: "filter", from: null, to: ["region=hk"] },
          { field: "exportedRows", from: null, to: 2 },
        ],
      },
    ]);
  });

  it("is answered to HEAD with the headers, reads nothing and is not recorded", async () => {
    const { status, headers, body } = await app.root.raw("HEAD", EXPORT);

    expect([status, headers.get("content-type"), body]).toEqual([
      200,
      "text/csv; charset=utf-8",
      "",
    ]);
    expect((await app.root.get("/api/audit?action=hosts.export")).data.entries).toEqual([]);
  });

  it("may be made with an API token that only reads", async () => {
    const { token } = await makeToken(app.url, app.root, { scope: "read" });

    const response = await open({ ...app.root, token });

    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });

  it("is refused over tRPC, which cannot send files, with the address to use", async () => {
    const call = { procedure: procedureOf("hosts.export"), input: {}, token: app.root.token };

    expect(await callAlone(app.url, call)).toMatchObject({
      code: "INVALID_INPUT",
      body: { message: "请通过 GET /api/hosts/export 下载" },
    });
  });

  it("fails as any other call when the first hosts cannot be read", async () => {
    await using _away = await takeHostsAway();

    const { status, data } = await app.root.get(EXPORT);

    expect([status, data.code]).toEqual([500, "INTERNAL"]);
  });
});

describe("an export that is under way", () => {
  const COUNT = 2_500;

  beforeEach(async () => {
    lines.length = 0;
    await insertHosts(
      app,
      Array.from({ length: COUNT }, (_, n) => ({ name: `host-${n}` })),
    );
    // More than the network holds for a caller who reads nothing.
    await app.database.query("update hosts set os_name = repeat('x', 8000)");
  });

  it("is refused as the third of its user, until another one has ended", async () => {
    const aborted = new AbortController();
    const [, second] = await Promise.all([open(app.root, "", aborted.signal), open(app.root)]);

    const third = await open(app.root);
    const ofOther = await open(await app.account("super_admin"));
    aborted.abort();

    expect([third.status, third.headers.get("retry-after")]).toEqual([429, "10"]);
    expect(await third.json()).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      message: "同时最多导出 2 份，请等其中一份完成后重试",
    });
    expect(ofOther.status).toBe(200);
    await vi.waitFor(async () => {
      const again = await open(app.root);
      expect(again.status).toBe(200);
      await again.body?.cancel();
    }, 10_000);
    for (const { body } of [second, ofOther]) await body?.cancel();
  });

  it("leaves its user the templates of imports, for which nothing is read", async () => {
    const running = await Promise.all([open(app.root), open(app.root)]);

    const templates = await Promise.all(
      ["users", "assignments"].map((kind) => app.root.get(`/api/${kind}/import-template`)),
    );

    expect(running.map(({ status }) => status)).toEqual([200, 200]);
    expect(templates.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of running) await body?.cancel();
  });

  it("ends with a broken connection when the rest cannot be read, and says so once", async () => {
    const response = await open(app.root);
    await using _away = await takeHostsAway();

    await expect(response.arrayBuffer()).rejects.toThrow();

    const requestId = response.headers.get("x-request-id");
    const failures = lines.filter((line) => line.includes("unhandled error in a download"));
    expect(failures.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, call: "hosts.export", requestId },
    ]);
  });

  it("whose caller hangs up before it begins is no error", async () => {
    await using lock = await holdLock(app.database, "lock table hosts in access exclusive mode");
    const hungUp = new AbortController();
    const answer = open(app.root, "", hungUp.signal);
    // Of the embedded database the lock has the only session, and nobody is seen to wait for it.
    await (HAS_CONCURRENT_SESSIONS ? lock.awaited() : sleep(300));
    hungUp.abort();
    await expect(answer).rejects.toThrow();
    await lock.release();

    await exportText(app.root);

    expect(lines.filter((line) => line.includes("unhandled error"))).toEqual([]);
  });

  it("ends with a broken connection when the session has ended", async () => {
    const own = await app.account("super_admin");
    const response = await open(own);
    await assertOk(own.post("/api/auth/logout"));

    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it("leaves out a host that is lost meanwhile, and none besides", async () => {
    const response = await open(app.root);
    await app.database.query("delete from hosts where name = $1", [`host-${COUNT - 1}`]);

    const rows = readCsv(Buffer.from(await response.arrayBuffer()).toString("utf8"));

    const names = new Set(rows.map((row) => row.主机));
    expect([rows.length, names.size, names.has(`host-${COUNT - 1}`)]).toEqual([
      COUNT - 1,
      COUNT - 1,
      false,
    ]);
  });
});

/** The table has another name until this is disposed of. */
async function takeHostsAway(): Promise<AsyncDisposable> {
  await app.database.query("alter table hosts rename to hosts_away");
  return {
    async [Symbol.asyncDispose]() {
      await app.database.query("alter table hosts_away rename to hosts");
    },
  };
}
