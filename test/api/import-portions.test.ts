import { describe, expect, it, onTestFinished, vi } from "vitest";
import { csvText } from "../../src/shared/csv-text.ts";
import { ImportResult } from "../../src/shared/imports.ts";
import { localDate } from "../../src/shared/shanghai.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import { assign, failureOf, insertHosts, now } from "../harness/data.ts";
import { holdLock, itOnPostgresql, overlapping } from "../harness/hold-lock.ts";
import { CSV_TYPE, importFile, outcomesOf, sendImport } from "../harness/imports.ts";
import { noticesOf } from "../harness/inbox.ts";
import { assertOk, restClient } from "../harness/rest.ts";
import { startApp } from "../harness/start-app.ts";

/** As many rows are carried out together. */
const PORTION = 50;
const DISABLED_MESSAGE = "userId 请选择一个启用中的C端用户";

const app = useApp();
const team = useTeam(app);

/** So many new hosts for each of these clients, one client after the other. */
async function hostsFor(clients: readonly Account[], count: number) {
  const owners = clients.flatMap((client) => Array<Account>(count).fill(client));
  const names = owners.map((_, index) => `uhost-${index}`);
  const hostIds = await insertHosts(
    app,
    names.map((name) => ({ ucloud_id: name })),
  );
  const rows = owners.map(({ username }, index) => [names[index] ?? "", username, "30"]);
  const file = [["主机", "用户名", "天数"], ...rows];
  return { hostIds, sent: { kind: "assignments", file } as const };
}

/** Until it is released, acts on hosts of this client wait. */
const holdClient = ({ id }: Account) =>
  holdLock(app.database, "select from users where id = $1 for update", [id]);

async function count(table: "assignments" | "host_acts" | "audit_entries", where = "true") {
  const [row] = await app.database.query(
    `select count(*)::int as count from ${table} where ${where}`,
  );
  return row?.count;
}

async function announcedTo({ id }: Account): Promise<string[]> {
  const rows = await app.database.query(
    `select payload->>'title' as title from events
     where type = 'notice.created' and payload->>'userId' = $1 order by id`,
    [id],
  );
  return rows.map(({ title }) => String(title));
}

it("each row has its act and entry, and each client one notice of a kind", async () => {
  const { client, otherClient } = team;
  const { hostIds, sent } = await hostsFor([client], PORTION + 5);
  const [present = ""] = hostIds;
  await assign(app, present, client.id);
  await insertHosts(app, [{ ucloud_id: "uhost-x" }]);
  const header = ["主机", "用户名", "到期", "天数"];
  const rows = hostIds.map((_, index) => {
    return index === 0
      ? ["uhost-0", client.username, localDate(now() + 90 * DAY_SECONDS), ""]
      : [`uhost-${index}`, client.username, "", "30"];
  });
  const file = [header, ...rows, ["uhost-x", otherClient.username, "", "30"]];

  const { summary } = await importFile(app.root, { ...sent, file });

  const created = hostIds.length;
  expect(summary).toEqual({ create: created, update: 1, skip: 0, failed: 0 });
  expect(await count("host_acts", "kind = 'assigned'")).toBe(created + 1);
  expect(await count("host_acts", "kind = 'assignment_changed'")).toBe(1);
  expect(await count("audit_entries", "action = 'hosts.assign'")).toBe(created + 2);
  const [given] = await noticesOf(client, "assignment.given");
  expect(given?.title).toBe(`已为您分配 ${created - 1} 台主机`);
  expect((await announcedTo(client)).slice(1).toSorted()).toEqual(
    ["1 台主机的有效期已变更", `已为您分配 ${created - 1} 台主机`].toSorted(),
  );
  expect(await announcedTo(otherClient)).toEqual(["已为您分配 1 台主机"]);
});

describe("a row that fails leaves the others of its portion alone", () => {
  it("when the database refuses it", async () => {
    const { database } = app;
    const { hostIds, sent } = await hostsFor([team.client], 3);
    await database.query(
      `alter table assignments add constraint refused check (host_id <> '${hostIds[1]}')`,
    );
    onTestFinished(async () => {
      await database.query("alter table assignments drop constraint refused");
    });

    const result = await importFile(app.root, sent);

    expect(outcomesOf(result)).toEqual([
      "2 create",
      "3 create failed:  服务器内部错误",
      "4 create",
    ]);
    expect(await count("assignments")).toBe(2);
    expect(await count("audit_entries", "action = 'hosts.assign'")).toBe(2);
    const [given] = await noticesOf(team.client, "assignment.given");
    expect(given?.title).toBe("已为您分配 2 台主机");
  });

  itOnPostgresql("when its client is disabled meanwhile", async () => {
    const { client, otherClient } = team;
    const { sent } = await hostsFor([client, otherClient], 1);
    await using lock = await holdClient(client);

    const imported = importFile(app.root, sent);
    await lock.awaited();
    await lock.query("update users set is_active = false where id = $1", [client.id]);
    await lock.release();

    expect(outcomesOf(await imported)).toEqual([
      `2 create failed: ${DISABLED_MESSAGE}`,
      "3 create",
    ]);
  });
});

itOnPostgresql("a row that somebody else does meanwhile is read and planned again", async () => {
  const { client, otherClient } = team;
  const { hostIds, sent } = await hostsFor([client, otherClient], 1);
  await using lock = await holdClient(client);

  const imported = importFile(app.root, sent);
  await lock.awaited();
  await lock.query(
    `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at,
       assigned_expire_time, assigned_by, assigned_by_name, created_at)
     select gen_random_uuid(), $1, id, name, username, created_at, created_at + 9999999, id, '', 1
     from users where id = $2`,
    [hostIds[0], client.id],
  );
  await lock.release();

  const { summary } = await imported;
  expect(summary).toEqual({ create: 1, update: 0, skip: 1, failed: 0 });
});

itOnPostgresql("two imports at once, of two processes, do each row once", async () => {
  const { client, otherClient } = team;
  const { sent } = await hostsFor([client, otherClient], PORTION + 5);
  const replica = await startApp(app.database.connection);
  onTestFinished(() => replica[Symbol.asyncDispose]());
  const root = restClient(replica.url, app.root.token);
  const lock = { statement: "select from users where id = $1 for update", parameters: [client.id] };

  const results = await overlapping(app.database, lock, () => [
    importFile(app.root, sent),
    importFile(root, sent),
  ]);

  const rows = 2 * (PORTION + 5);
  const sum = (of: "create" | "skip") => results.reduce((all, { summary }) => all + summary[of], 0);
  expect([sum("create"), sum("skip")]).toEqual([rows, rows]);
  expect(await count("assignments")).toBe(rows);
  expect(await count("audit_entries", "action = 'hosts.assign'")).toBe(rows);
});

describe("an import whose second portion waits", () => {
  itOnPostgresql("ends with it when the caller hangs up", async () => {
    const { client, otherClient } = team;
    const { sent } = await hostsFor([client, otherClient, client], PORTION);
    await using lock = await holdClient(otherClient);
    const hangUp = new AbortController();
    const body = csvText(sent.file);
    const init = { body, headers: CSV_TYPE, signal: hangUp.signal };

    const answer = app.root.raw("POST", "/api/assignments/import?dryRun=false", init);
    await lock.awaited();
    hangUp.abort();
    await expect(answer).rejects.toThrow();
    await assertOk(app.root.get("/api/auth/me"));
    await lock.release();

    const isOver = () => count("audit_entries", "action = 'assignments.import'");
    await vi.waitFor(async () => expect(await isOver()).toBe(1), 30_000);
    expect(await count("assignments")).toBe(2 * PORTION);
  });

  itOnPostgresql("ends with it when the caller's session ends", async () => {
    const own = await app.account("super_admin");
    const { client, otherClient } = team;
    const { sent } = await hostsFor([client, otherClient, client], PORTION);
    await using lock = await holdClient(otherClient);

    const answer = sendImport(own, sent);
    await lock.awaited();
    await assertOk(own.post("/api/auth/logout"));
    await lock.release();

    expect(failureOf(await answer)).toEqual([401, "UNAUTHENTICATED"]);
    expect(await count("assignments")).toBe(2 * PORTION);
  });

  itOnPostgresql("says what it knows of each row when it loses the database", async () => {
    const { client, otherClient } = team;
    const { sent } = await hostsFor([client, otherClient, client], PORTION);
    await using lock = await holdClient(otherClient);

    const answer = sendImport(app.root, sent);
    await lock.awaited();
    await lock.query(
      `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
       where not granted and datname = current_database()`,
    );

    const { data } = await assertOk(answer);
    const { rows, summary } = ImportResult.parse(data);
    expect(summary).toEqual({ create: PORTION, update: 0, skip: 0, failed: 2 * PORTION });
    const reasons = rows.map(({ errors }) => errors[0]?.message.slice(0, 4));
    expect(reasons.slice(0, PORTION)).toEqual(Array(PORTION).fill(undefined));
    expect(reasons.slice(PORTION, 2 * PORTION)).toEqual(Array(PORTION).fill("结果未知"));
    expect(reasons.slice(2 * PORTION)).toEqual(Array(PORTION).fill("没有执行"));
    expect(await count("assignments")).toBe(PORTION);
  });
});
