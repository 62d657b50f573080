import { describe, expect, it } from "vitest";
import { localDate, localDateTime } from "../../src/shared/shanghai.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp, useTeam } from "../harness/app.ts";
import { assign, insertHost, insertHosts, now } from "../harness/data.ts";
import { importFile, outcomesOf, type SentImport, sendImport } from "../harness/imports.ts";
import { noticesOf } from "../harness/inbox.ts";
import { assertOk } from "../harness/rest.ts";

const app = useApp();
const team = useTeam(app);

type Row = readonly string[];

const HEADER: Row = ["主机", "用户名", "到期", "天数", "备注"];
const IN_A_MONTH = localDate(now() + 30 * DAY_SECONDS);

const fileOf = (...rows: readonly Row[]): SentImport => ({
  kind: "assignments",
  file: [HEADER, ...rows],
});
const importRows = (...rows: readonly Row[]) => importFile(app.root, fileOf(...rows));

async function assignmentsOf({ id }: { readonly id: string }) {
  const { data } = await assertOk(app.root.get(`/api/users/${id}/assignments`));
  return data.assignments;
}

async function lastEventId(): Promise<unknown> {
  const [row] = await app.database.query("select max(id) as id from events");
  return row?.id;
}

describe("a new assignment of a file", () => {
  it("finds the host by the provider's id or by its name, and ends with the day", async () => {
    await insertHosts(app, [
      { ucloud_id: "uhost-1", name: "web-01" },
      { ucloud_id: "uhost-2", name: "web-02" },
    ]);
    const username = team.client.username.toUpperCase();

    const result = await importRows(
      ["uhost-1", username, IN_A_MONTH, "", "合同 1"],
      ["web-02", username, IN_A_MONTH.replaceAll("-", "/"), "", ""],
    );

    expect(outcomesOf(result)).toEqual(["2 create", "3 create"]);
    const given = await assignmentsOf(team.client);
    expect(given.map(({ host }: { host: { name: string } }) => host.name).toSorted()).toEqual([
      "web-01",
      "web-02",
    ]);
    for (const { assignedExpireTime } of given) {
      expect(localDateTime(assignedExpireTime)).toBe(`${IN_A_MONTH} 23:59:59`);
    }
  });

  it("lasts for days from now", async () => {
    await insertHost(app, { ucloud_id: "uhost-1" });

    const before = now();
    const result = await importRows(["uhost-1", team.client.username, "", "30", ""]);

    expect(outcomesOf(result)).toEqual(["2 create"]);
    const [given] = await assignmentsOf(team.client);
    const days = (given.assignedExpireTime - before) / DAY_SECONDS;
    expect(days).toBeCloseTo(30, 1);
  });

  it.each([
    ["a host that does not exist", ["uhost-9"], "hostId 主机不存在"],
    ["no host", [""], "hostId 主机不能为空"],
    ["a gone host", ["uhost-gone"], "hostId 主机在云服务商处已不存在，不能分配"],
    ["a name of two hosts", ["web"], "hostId 有 2 台主机使用这个名称，请填写云服务商的主机 ID"],
    ["an unknown user", ["uhost-1", "nobody"], "userId 请填写一个启用中的C端用户的用户名"],
    ["an admin as user", ["uhost-1", "root"], "userId 请填写一个启用中的C端用户的用户名"],
    ["neither end nor days", ["uhost-1", null, "", ""], "assignedExpireTime 请填写到期或天数"],
    [
      "an end and days",
      ["uhost-1", null, IN_A_MONTH, "30"],
      "assignedExpireTime 到期与天数只能填写一个",
    ],
    [
      "a day that does not exist",
      ["uhost-1", null, "2027-02-30"],
      "assignedExpireTime 到期的格式不正确，例如 2026-12-31 或 2026-12-31 18:00",
    ],
    [
      "an end in the past",
      ["uhost-1", null, "2020-01-01"],
      "assignedExpireTime 到期的日期已经过去，请填写以后的日期",
    ],
    ["days that are no number", ["uhost-1", null, "", "很多"], "days 分配天数必须是整数"],
    ["too many days", ["uhost-1", null, "", "366"], "days 分配天数必须在1-365天之间"],
  ])("with %s is refused", async (_what, cells, reason) => {
    await insertHosts(app, [
      { ucloud_id: "uhost-1" },
      { ucloud_id: "uhost-2", name: "web" },
      { ucloud_id: "uhost-3", name: "web" },
      { ucloud_id: "uhost-gone", gone_at: now() },
    ]);
    const [host = "", username = null, end = IN_A_MONTH, days = ""] = cells;
    const row = [host ?? "", username ?? team.client.username, end ?? "", days ?? "", ""];

    const result = await importRows(row);

    expect(outcomesOf(result)).toEqual([`2 create failed: ${reason}`]);
    expect(await assignmentsOf(team.client)).toEqual([]);
  });
});

describe("an assignment that is there", () => {
  it("moves its end to another date, and keeps its remark for an empty cell", async () => {
    const hostId = await insertHost(app, { ucloud_id: "uhost-1" });
    const kept = { hostId, userId: team.client.id, days: 9, remark: "合同 1" };
    await assertOk(app.root.post("/api/hosts/assign", kept));

    const result = await importRows(["uhost-1", team.client.username, IN_A_MONTH, "", ""]);

    expect(outcomesOf(result)).toEqual(["2 update"]);
    const [given] = await assignmentsOf(team.client);
    expect(localDateTime(given.assignedExpireTime)).toBe(`${IN_A_MONTH} 23:59:59`);
    expect(given.remark).toBe("合同 1");
  });

  it("stays as it is when the row has its end to the second, as an export does", async () => {
    const hostId = await insertHost(app, { ucloud_id: "uhost-1" });
    const { assignedExpireTime } = await assign(app, hostId, team.client.id);
    const end = localDateTime(assignedExpireTime);
    const eventId = await lastEventId();

    const result = await importRows(["uhost-1", team.client.username, end, "", ""]);

    expect(outcomesOf(result)).toEqual(["2 skip"]);
    expect(await lastEventId()).toEqual(eventId);
  });

  it("is not moved by days, and the row says so", async () => {
    const hostId = await insertHost(app, { ucloud_id: "uhost-1" });
    await assign(app, hostId, team.client.id);

    const result = await importRows(["uhost-1", team.client.username, "", "30", ""]);

    expect(result.summary).toEqual({ create: 0, update: 0, skip: 1, failed: 0 });
    expect(outcomesOf(result)).toEqual([
      "2 skip: days 该主机已分配给此用户，按天数的行不作修改；如需修改有效期，请填写到期",
    ]);
  });

  it.each([true, false])("names what it overwrites, its end too (dryRun=%s)", async (dryRun) => {
    const hostId = await insertHost(app, { ucloud_id: "uhost-1" });
    const stored = { hostId, userId: team.client.id, days: 90, remark: "合同 1" };
    await assertOk(app.root.post("/api/hosts/assign", stored));
    const [before] = await assignmentsOf(team.client);

    const file = fileOf(["uhost-1", team.client.username, IN_A_MONTH, "", "合同 2"]);
    const result = await importFile(app.root, { ...file, dryRun });

    expect(result.rows[0]?.changes).toEqual([
      {
        field: "assignedExpireTime",
        from: localDateTime(before.assignedExpireTime),
        to: IN_A_MONTH,
      },
      { field: "remark", from: "合同 1", to: "合同 2" },
    ]);
  });

  it("gets another remark", async () => {
    const hostId = await insertHost(app, { ucloud_id: "uhost-1" });
    const { assignedExpireTime } = await assign(app, hostId, team.client.id);
    const end = localDateTime(assignedExpireTime);

    const result = await importRows(["uhost-1", team.client.username, end, "", "合同 2"]);

    expect(outcomesOf(result)).toEqual(["2 update"]);
    expect((await assignmentsOf(team.client))[0].remark).toBe("合同 2");
  });
});

it("a row without a host is refused, also where a host has no name", async () => {
  await insertHost(app, { name: "" });

  const result = await importRows(["", team.client.username, "", "30", "x"]);

  expect(outcomesOf(result)).toEqual(["2 create failed: hostId 主机不能为空"]);
});

describe("the same file of assignments", () => {
  it("a second time changes nothing and tells nobody", async () => {
    await insertHosts(app, [{ ucloud_id: "uhost-1" }, { ucloud_id: "uhost-2" }]);
    const rows: Row[] = [
      ["uhost-1", team.client.username, IN_A_MONTH, "", "合同 1\u200B"],
      ["uhost-2", team.client.username, "", "30", ""],
    ];
    await importRows(...rows);
    const eventId = await lastEventId();

    const again = await importRows(...rows);

    expect(again.summary).toEqual({ create: 0, update: 0, skip: 2, failed: 0 });
    expect(await lastEventId()).toEqual(eventId);
  });

  it("names a pair twice: the second row is refused", async () => {
    await insertHost(app, { ucloud_id: "uhost-1", name: "web-01" });
    const { username } = team.client;

    const result = await importRows(
      ["uhost-1", username, IN_A_MONTH, "", ""],
      ["web-01", username, "", "30", ""],
    );

    expect(outcomesOf(result)).toEqual([
      "2 create",
      "3 skip failed: userId 主机与用户都与第 2 行相同",
    ]);
  });
});

it("a client gets one notice of all hosts of an import", async () => {
  await insertHosts(app, [{ ucloud_id: "uhost-1" }, { ucloud_id: "uhost-2" }]);

  await importRows(
    ["uhost-1", team.client.username, IN_A_MONTH, "", ""],
    ["uhost-2", team.client.username, IN_A_MONTH, "", ""],
  );

  const notices = await noticesOf(team.client, "assignment.given");
  expect(notices.map(({ title }) => title)).toEqual(["已为您分配 2 台主机"]);
});

it("a dry run assigns nothing and tells nobody", async () => {
  await insertHost(app, { ucloud_id: "uhost-1" });
  const file = fileOf(["uhost-1", team.client.username, IN_A_MONTH, "", ""]);

  const result = await importFile(app.root, { ...file, dryRun: true });

  expect(outcomesOf(result)).toEqual(["2 create"]);
  expect(await assignmentsOf(team.client)).toEqual([]);
  expect(await noticesOf(team.client, "assignment.given")).toEqual([]);
});

it.each(["admin", "client"] as const)("an %s may not import assignments", async (role) => {
  const answer = await sendImport(team[role], fileOf());

  expect(answer.status).toBe(403);
});

it("the template of assignments is a file with the header alone", async () => {
  const { status, body } = await app.root.get("/api/assignments/import-template");

  expect(status).toBe(200);
  expect(body).toBe(`${HEADER.join(",")}\r\n`);
});
