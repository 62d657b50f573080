import { describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { listProcedures, restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import {
  AUDIT_ACTION_LABELS,
  AUDIT_READ_LABELS,
  auditActionLabel,
} from "../../src/shared/audit.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { makeToken } from "../harness/api-tokens.ts";
import { useApp } from "../harness/app.ts";
import { fixedClock, START } from "../harness/clocks.ts";
import {
  assign,
  buildConfig,
  buildUser,
  decide,
  failureOf,
  insertHost,
  MISSING,
  renewalIn,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import { useLogLines } from "../harness/log-lines.ts";
import { assertOk, type RestClient, restClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { codeAt, enableSecondFactor, STEP } from "../harness/second-factor.ts";

const { lines, log } = useLogLines();
const clock = fixedClock();
const app = useApp({ overrides: { clock, log }, config: { trustProxy: 1 } });

async function entriesOf(query: string, client: RestClient = app.root) {
  return (await assertOk(client.get(`/api/audit?${query}`))).data.entries;
}

async function activityOf(client: RestClient) {
  return (await assertOk(client.get("/api/auth/activity"))).data.entries;
}

function signInAs(username: string, password: string) {
  return app.anonymous.post("/api/auth/login", { username, password });
}

it("every call that changes something has a name for people", () => {
  const mutations = restProcedures(appRouter).filter(({ type }) => type === "mutation");

  const missing = mutations
    .map(({ path }) => path)
    .filter((path) => !(path in AUDIT_ACTION_LABELS));

  expect(missing, "add them to AUDIT_ACTION_LABELS in src/shared/audit.ts").toEqual([]);
});

it("every call that only reads has a name for people, for when it is refused", () => {
  const reads = listProcedures(appRouter)
    .filter(({ path, type }) => type !== "mutation" && !(path in AUDIT_ACTION_LABELS))
    .map(({ path }) => path);

  const hint = "AUDIT_READ_LABELS in src/shared/audit.ts must list exactly these";
  expect(Object.keys(AUDIT_READ_LABELS).toSorted(), hint).toEqual(reads.toSorted());
  for (const path of reads) expect(auditActionLabel(path)).toMatch(/\p{Script=Han}/u);
});

describe("an entry", () => {
  it("says who did what from where, on which row, and what it changed", async () => {
    const client = await app.account("client");
    const hostId = await insertHost(app, { name: "web-01" });

    const answer = await app.root.post("/api/hosts/assign", {
      hostId,
      userId: client.id,
      days: 30,
    });

    const [entry, ...others] = await entriesOf(`subjectId=${hostId}`);
    expect(others).toEqual([]);
    expect(entry).toEqual({
      id: expect.any(String),
      at: START,
      actor: { type: "user", id: app.root.id, name: "系统管理员", token: null },
      action: "hosts.assign",
      subject: { type: "host", id: hostId, label: "web-01" },
      outcome: "ok",
      ip: "127.0.0.1",
      userAgent: expect.any(String),
      requestId: answer.headers.get("x-request-id"),
      changes: [
        { field: "user", from: null, to: `${client.username}的姓名` },
        { field: "assignedAt", from: null, to: START },
        { field: "assignedExpireTime", from: null, to: START + 30 * DAY_SECONDS },
      ],
      count: 1,
    });
  });

  it("is one line of the log, with its id", async () => {
    await app.root.put("/api/system-config", { show_network_info_to_client: true });

    const [entry] = await entriesOf("action=settings.update");
    const records = lines.map((line) => JSON.parse(line));
    const own = records.filter(({ audit }) => audit?.id === entry.id);
    expect(own).toMatchObject([
      {
        level: 30,
        msg: "audit",
        audit: { action: "settings.update", outcome: "ok", changes: entry.changes },
      },
    ]);
  });

  it("of a change has the values from before and after, of fields that differ", async () => {
    const { data: user } = await assertOk(app.root.post("/api/users", buildUser()));
    const admin = await app.account("admin");

    await assertOk(
      app.root.put(`/api/users/${user.id}`, { name: "李四", isActive: true, adminId: admin.id }),
    );

    const [entry] = await entriesOf(`action=users.update`);
    expect(entry.subject).toEqual({ type: "user", id: user.id, label: "李四" });
    expect(entry.changes).toEqual([
      { field: "name", from: "张三", to: "李四" },
      { field: "admin", from: null, to: `${admin.username}的姓名` },
    ]);
  });

  it("of an assignment names the client and what moved, and of a transfer both clients", async () => {
    const [one, other] = [await app.account("client"), await app.account("client")];
    const hostId = await insertHost(app);
    const assignment = { hostId, userId: one.id };
    await assertOk(app.root.post("/api/hosts/assign", { ...assignment, days: 30 }));
    await assertOk(app.root.post("/api/hosts/assign", { ...assignment, days: 60, remark: "合同" }));
    const transfer = { operation: "transfer", hostIds: [hostId], fromUserId: one.id };
    await assertOk(app.root.post("/api/hosts/batch", { ...transfer, userId: other.id, days: 90 }));
    await requestRenewal(other, hostId);

    await assertOk(unassign(app, hostId, other.id));

    const end = (days: number) => START + days * DAY_SECONDS;
    const [name, otherName] = [`${one.username}的姓名`, `${other.username}的姓名`];
    const entries = await entriesOf(`subjectId=${hostId}&limit=4`);
    expect(entries.map(({ action, changes }: EntryFields) => [action, changes])).toEqual([
      [
        "hosts.unassign",
        [
          { field: "user", from: otherName, to: null },
          { field: "cancelledRenewals", from: null, to: 1 },
        ],
      ],
      ["renewals.create", expect.arrayContaining([{ field: "user", from: null, to: otherName }])],
      [
        "hosts.transfer",
        [
          { field: "user", from: name, to: otherName },
          { field: "assignedExpireTime", from: end(60), to: end(90) },
        ],
      ],
      [
        "hosts.assign",
        [
          { field: "user", from: name, to: name },
          { field: "assignedExpireTime", from: end(30), to: end(60) },
          { field: "remark", from: null, to: "合同" },
        ],
      ],
    ]);
  });

  it("of a completed renewal names client, state and the moved end", async () => {
    const client = await app.account("client");
    const hostId = await insertHost(app);
    const assignment = { hostId, userId: client.id, days: 30 };
    await assertOk(app.root.post("/api/hosts/assign", assignment));
    const id = await requestRenewal(client, hostId);

    await decide(app, id, "completed");

    const [entry] = await entriesOf("action=renewals.process");
    expect(entry.subject).toMatchObject({ type: "host", id: hostId });
    const name = `${client.username}的姓名`;
    expect(entry.changes).toEqual([
      { field: "user", from: name, to: name },
      { field: "status", from: "pending", to: "completed" },
      { field: "adminRemark", from: null, to: "已核对" },
      {
        field: "assignedExpireTime",
        from: START + 30 * DAY_SECONDS,
        to: START + 60 * DAY_SECONDS,
      },
    ]);
  });

  it("says of keys that they changed, and nothing of keys and passwords", async () => {
    const keys = { publicKey: "Marker1Public", privateKey: "Marker2Private" };
    const { data: config } = await assertOk(
      app.root.post("/api/hosts/configs", buildConfig({ ...keys, isActive: false })),
    );
    const newKeys = { publicKey: "Marker3Public", privateKey: "Marker4Private" };
    await assertOk(app.root.put(`/api/hosts/configs/${config.id}`, newKeys));
    const password = "Marker5Word";
    const { data: user } = await assertOk(app.root.post("/api/users", buildUser({ password })));
    await assertOk(app.root.post(`/api/users/${user.id}/reset-password`));

    const [entry] = await entriesOf("action=configs.update");
    expect(entry.changes).toEqual([
      { field: "publicKey", from: "•••", to: "•••" },
      { field: "privateKey", from: "•••", to: "•••" },
    ]);
    const rows = await app.database.query("select to_jsonb(e)::text as row from audit_entries e");
    const text = JSON.stringify([await entriesOf("limit=100"), rows, lines]);
    expect(text).not.toMatch(/Marker\d|argon2/i);
  });

  it("of a key that is sent back as it is says nothing", async () => {
    const id = await app.config({ name: "主账号", privateKey: "Marker6Private" });

    const unchanged = { privateKey: "Marker6Private", remark: "备用" };
    await assertOk(app.root.put(`/api/hosts/configs/${id}`, unchanged));

    const [entry] = await entriesOf("action=configs.update");
    expect(entry.changes).toEqual([{ field: "remark", from: null, to: "备用" }]);
  });

  it("of the former default says that another configuration took its place", async () => {
    const formerId = await app.config({ name: "原来的", isActive: false });
    const { data } = await assertOk(
      app.root.post("/api/hosts/configs", buildConfig({ isActive: false, isDefault: true })),
    );

    const [entry] = await entriesOf("action=configs.update");
    expect(data.isDefault).toBe(true);
    expect(entry).toMatchObject({
      subject: { id: formerId, label: "原来的" },
      changes: [{ field: "isDefault", from: true, to: false }],
    });
  });

  it("of a channel says that its address and secret changed, and no more of them", async () => {
    const robot = { url: "https://robot.example/Marker7", secret: "Marker8Secret" };
    const channel = { name: "运维群", type: "dingtalk", config: robot, types: ["host.expiring"] };
    const { data } = await assertOk(app.root.post("/api/notice-channels", channel));
    const secret = "Marker9Secret";
    await assertOk(app.root.put(`/api/notice-channels/${data.id}`, { config: { secret } }));

    const entries = await entriesOf(`subjectId=${data.id}`);
    const [update, creation] = entries;
    expect(update.subject).toEqual({ type: "channel", id: data.id, label: "运维群" });
    expect(update.changes).toEqual([{ field: "config.secret", from: "•••", to: "•••" }]);
    expect(creation.changes).toContainEqual({ field: "config.url", from: null, to: "•••" });
    expect(JSON.stringify([entries, lines])).not.toMatch(/Marker\d/);
  });

  it("of a token has type token and its name", async () => {
    const expiresAt = START + DAY_SECONDS;
    const token = await makeToken(app.url, app.root, { name: "月度报表", expiresAt });

    await assertOk(token.client.put("/api/system-config", { show_network_info_to_client: true }));

    const [entry] = await entriesOf("action=settings.update");
    const { id } = app.root;
    const name = "系统管理员";
    expect(entry.actor).toEqual({
      type: "token",
      id,
      name,
      token: { id: token.id, name: "月度报表" },
    });
    const [creation] = await entriesOf("action=auth.createToken");
    expect(creation.subject).toEqual({ type: "user", id, label: name });
    expect(creation.changes).toContainEqual({ field: "tokenName", from: null, to: "月度报表" });
    expect(JSON.stringify([creation, lines])).not.toContain(token.token);
  });

  it("keeps the names of a user who is deleted", async () => {
    const client = await app.account("client", { username: "qianren" });
    const hostId = await insertHost(app);
    await assign(app, hostId, client.id);
    await client.post("/api/auth/refresh");

    await assertOk(app.root.delete(`/api/users/${client.id}`));

    const name = "qianren的姓名";
    const [deletion, ...acts] = await entriesOf(`subjectId=${client.id}`);
    expect(deletion).toMatchObject({ action: "users.delete", subject: { label: name } });
    expect(deletion.changes).toContainEqual({ field: "endedAssignments", from: null, to: 1 });
    expect(acts.map(({ action }: { readonly action: string }) => action)).toEqual([
      "auth.refresh",
      "auth.login",
      "users.create",
    ]);
    expect(await entriesOf(`actorId=${client.id}`)).toMatchObject([
      { actor: { id: client.id, name } },
      { actor: { id: client.id, name } },
    ]);
  });

  it("is there for a call that changed nothing, also for a batch in which all failed", async () => {
    const batch = { operation: "unassign", hostIds: [MISSING] };
    await assertOk(app.root.post("/api/hosts/batch", batch));

    expect(await entriesOf("action=hosts")).toMatchObject([
      { action: "hosts.batch", outcome: "ok", subject: null, changes: [] },
    ]);
  });

  it("of a run by a job has its numbers, and the job as its actor", async () => {
    const configId = await app.config({ name: "主账号" });
    await assertOk(app.root.post(`/api/hosts/sync?configId=${configId}&wait=25`));

    const [run, start] = await entriesOf(`subjectId=${configId}&limit=2`);
    expect(start).toMatchObject({ action: "hosts.sync", actor: { id: app.root.id } });
    expect(run).toMatchObject({
      action: "job.sync-run",
      actor: { type: "system", id: null, name: "sync-run", token: null },
      subject: { type: "config", id: configId, label: "主账号" },
      outcome: "ok",
      ip: null,
      requestId: null,
      changes: [{ field: "createdHosts", from: null, to: 60 }],
    });
  });
});

describe("what failed", () => {
  it("has an entry of its own, and none of what was rolled back", async () => {
    const client = await app.account("client");
    const hostId = await insertHost(app, { name: "web-01", gone_at: START });
    const subject = { type: "host", id: hostId, label: "web-01" };

    await app.root.post("/api/hosts/assign", { hostId, userId: client.id, days: 30 });

    expect(await entriesOf("action=hosts.assign")).toMatchObject([
      { outcome: "failed", actor: { id: app.root.id }, subject, changes: [], count: 1 },
    ]);
  });

  it("names the host of a renewal whose decision cannot be undone, cancelled or made", async () => {
    const client = await app.account("client");
    const hostId = await insertHost(app, { name: "web-01" });
    await assign(app, hostId, client.id);
    const id = await renewalIn(app, { client, hostId }, "completed");
    await assertOk(unassign(app, hostId, client.id));

    const answers = [
      await app.root.post(`/api/renewals/${id}/undo`, {}),
      await client.delete(`/api/renewals/${id}`),
      await decide(app, id, "approved"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409]);
    const subject = { type: "host", id: hostId, label: "web-01" };
    expect(await entriesOf("outcome=failed")).toMatchObject([
      { action: "renewals.process", subject },
      { action: "renewals.cancel", subject },
      { action: "renewals.undo", subject },
    ]);
  });

  it("names a refreshed host that the provider does not tell of", async () => {
    const hostId = await insertHost(app, { name: "web-01" });

    const { status } = await app.root.post(`/api/hosts/${hostId}/sync`);

    expect(status).toBeGreaterThanOrEqual(400);
    expect(await entriesOf("outcome=failed")).toMatchObject([
      { action: "hosts.syncOne", subject: { id: hostId, label: "web-01" } },
    ]);
  });

  it("names no row of a batch in which every row is refused", async () => {
    const client = await app.account("client");
    const hostIds = [
      await insertHost(app, { gone_at: START }),
      await insertHost(app, { gone_at: START }),
    ];

    const batch = { operation: "assign", hostIds, userId: client.id, days: 30 };
    await assertOk(app.root.post("/api/hosts/batch", batch));

    expect(await entriesOf("action=hosts.batch")).toMatchObject([{ outcome: "ok", subject: null }]);
  });

  it("a hundred times at once is one entry that counts it, and another after a minute", async () => {
    const client = await app.account("client");
    const refused = () => client.delete(`/api/users/${MISSING}`);

    await Promise.all(Array.from({ length: 100 }, refused));

    const denied = { action: "users.delete", outcome: "denied", actor: { id: client.id } };
    expect(await entriesOf(`actorId=${client.id}&outcome=denied`)).toMatchObject([
      { ...denied, count: 100 },
    ]);
    clock.forward(61);
    await refused();
    clock.rewind();
    expect(await entriesOf(`actorId=${client.id}&outcome=denied`)).toMatchObject([
      { ...denied, at: START + 61, count: 1 },
      { ...denied, at: START, count: 100 },
    ]);
  });

  it("of one network of IPv6 is one entry", async () => {
    for (const address of ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"]) {
      const headers = { "x-forwarded-for": address, "content-type": "application/json" };
      await fetch(`${app.url}/api/hosts/assign`, { method: "POST", headers, body: "{}" });
    }

    expect(await entriesOf("action=hosts.assign")).toMatchObject([
      { ip: "2001:db8:0:1::1", count: 1 },
      { ip: "2001:db8::1", count: 2 },
    ]);
  });

  it("at sign-ins of many accounts names the first ones, and counts the rest together", async () => {
    const names = Array.from({ length: 22 }, (_, index) => `kehu${index}`);
    for (const username of names) await app.account("client", { username });
    clock.forward(60);

    for (const username of names) await signInAs(username, "Wrong1Password");

    const entries = await entriesOf("action=auth.login&outcome=failed&limit=100");
    clock.rewind();
    const accounts = entries.filter(({ subject }: EntryFields) => subject !== null);
    const rest = entries.filter(({ subject }: EntryFields) => subject === null);
    expect(accounts).toHaveLength(20);
    expect(rest).toMatchObject([{ count: 2 }]);
  });

  it("by role names the row whose id was sent, and nothing where there is none", async () => {
    const [admin, client] = [await app.account("admin"), await app.account("client")];
    const hostId = await insertHost(app, { name: "web-01" });
    await assign(app, hostId, client.id);
    const renewalId = await requestRenewal(client, hostId);

    const answers = [
      await admin.post(`/api/users/${app.root.id}/reset-password`),
      await admin.post(`/api/users/${MISSING}/reset-second-factor`),
      await admin.post("/api/hosts/assign", { hostId, userId: client.id, days: 1 }),
      await admin.put(`/api/renewals/${renewalId}/process`, { status: "approved" }),
      await admin.delete("/api/users/nonsense"),
    ];

    expect(answers.map(failureOf)).toEqual(answers.map(() => [403, "FORBIDDEN"]));
    const host = { type: "host", id: hostId, label: "web-01" };
    const entries = await entriesOf(`actorId=${admin.id}&outcome=denied`);
    expect(entries.map((each: EntryFields) => [each.action, each.subject])).toEqual([
      ["users.delete", null],
      ["renewals.process", host],
      ["hosts.assign", host],
      ["users.resetSecondFactor", null],
      ["users.resetPassword", { type: "user", id: app.root.id, label: "系统管理员" }],
    ]);
  });

  it("is told apart by caller, action and outcome", async () => {
    const [one, other] = [await app.account("client"), await app.account("client")];
    await one.get("/api/audit");
    await one.get("/api/users");
    await other.get("/api/audit");
    await app.anonymous.get("/api/audit");
    await app.anonymous.post("/api/hosts/assign", {});

    const entries = await entriesOf("outcome=denied");
    expect(entries.map((each: EntryFields) => [each.actor.id, each.action, each.count])).toEqual([
      [null, "hosts.assign", 1],
      [other.id, "audit.list", 1],
      [one.id, "users.list", 1],
      [one.id, "audit.list", 1],
    ]);
  });
});

interface ActivityFields {
  readonly action: string;
  readonly ip: string | null;
}

interface EntryFields {
  readonly actor: { readonly id: string | null };
  readonly subject: object | null;
  readonly action: string;
  readonly changes: unknown;
  readonly count: number;
}

describe("the list", () => {
  const OTHER = "0198a000-0000-7000-8000-000000000001";

  /** Entries of three hours, the first one long ago. */
  async function insertEntries() {
    await app.database.query(
      `insert into audit_entries (id, at, actor_type, actor_id, actor_name, action,
         subject_type, subject_id, subject_label, outcome, ip)
       values
         (gen_random_uuid(), 3600, 'user', $1, '张三', 'hosts.assign', 'host', $2, 'web-01', 'ok', '10.0.0.1'),
         (gen_random_uuid(), 7200, 'user', $2, '李四', 'hosts.unassign', 'host', $1, 'DB_01', 'ok', '10.0.0.2'),
         (gen_random_uuid(), 7200, 'system', null, 'clean-up', 'job.clean-up', null, null, null, 'ok', null),
         (gen_random_uuid(), 10800, 'anonymous', null, null, 'auth.login', 'user', $1, '张三', 'failed', '10.0.0.1')`,
      [MISSING, OTHER],
    );
    await app.database.query("delete from audit_entries where at > 10800");
  }

  it.each([
    ["", ["auth.login", "job.clean-up", "hosts.unassign", "hosts.assign"]],
    [`actorId=${OTHER}`, ["hosts.unassign"]],
    ["action=hosts.assign", ["hosts.assign"]],
    ["action=hosts", ["hosts.unassign", "hosts.assign"]],
    ["action=job", ["job.clean-up"]],
    ["action=host", []],
    ["subjectType=user", ["auth.login"]],
    [`subjectId=${MISSING}`, ["auth.login", "hosts.unassign"]],
    ["outcome=failed", ["auth.login"]],
    ["from=7200&to=7200", ["job.clean-up", "hosts.unassign"]],
    ["search=web", ["hosts.assign"]],
    ["search=db_01", ["hosts.unassign"]],
    ["search=%E5%BC%A0%E4%B8%89", ["auth.login", "hosts.assign"]],
    ["search=10.0.0.2", ["hosts.unassign"]],
    ["search=%25", []],
    ["action=hosts&search=web&outcome=ok", ["hosts.assign"]],
  ])("is narrowed by %j, newest first", async (query, actions) => {
    await insertEntries();

    const { data } = await assertOk(app.root.get(`/api/audit?${query}`));

    expect(data.entries.map(({ action }: EntryFields) => action)).toEqual(actions);
    expect(data.pagination.total).toBe(actions.length);
  });

  it("has pages, and counts ten thousand entries at most", async () => {
    await app.database.query(
      `insert into audit_entries (id, at, actor_type, action, outcome)
       select gen_random_uuid(), n, 'system', 'job.clean-up', 'ok'
       from generate_series(1, 10010) n`,
    );

    const { data } = await assertOk(app.root.get("/api/audit?action=job.clean-up&page=2&limit=3"));
    const beyond = await assertOk(app.root.get("/api/audit?action=job.clean-up&page=501"));

    expect(data.entries.map(({ at }: { readonly at: number }) => at)).toEqual([
      10007, 10006, 10005,
    ]);
    expect(data.pagination).toMatchObject({ page: 2, limit: 3, total: 10_000 });
    expect(beyond.data.entries).toEqual([]);
  });

  it("cannot be changed or emptied by any call", async () => {
    const [{ id }] = await entriesOf("limit=1");

    const statuses: number[] = [];
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      for (const path of ["/api/audit", `/api/audit/${id}`]) {
        statuses.push((await app.root.raw(method, path)).status);
      }
    }

    expect(new Set(statuses)).toEqual(new Set([404, 405]));
  });
});

describe("the own activity", () => {
  it("has sign-ins, failed ones too, and changes of the own password, and no others", async () => {
    const client = await app.account("client", { username: "kehu" });
    await app.account("client", { username: "tongshi" });
    await signInAs("kehu", "Wrong1Password");
    await signInAs("kehu", "Wrong1Password");
    await signInAs("tongshi", "Wrong1Password");
    const passwords = { currentPassword: PASSWORD, newPassword: `${PASSWORD}2` };
    await assertOk(client.put("/api/auth/password", passwords));
    await client.post("/api/auth/refresh");

    const session = (await assertOk(signInAs("kehu", `${PASSWORD}2`))).data.token;
    const own = await activityOf(restClient(app.url, session));
    const from = {
      id: expect.any(String),
      at: START,
      ip: "127.0.0.1",
      userAgent: expect.any(String),
      changes: [],
    };
    expect(own).toEqual([
      { ...from, action: "auth.login", outcome: "ok", count: 1 },
      { ...from, action: "auth.changePassword", outcome: "ok", count: 1 },
      { ...from, action: "auth.login", outcome: "failed", count: 2 },
      { ...from, action: "auth.login", outcome: "ok", count: 1 },
    ]);
  });

  it("says that somebody else set the password, and not from where", async () => {
    const client = await app.account("client", { username: "kehu" });
    const { data } = await assertOk(app.root.post(`/api/users/${client.id}/reset-password`));
    const first = (await signInAs("kehu", data.newPassword)).data.token;
    const passwords = { currentPassword: data.newPassword, newPassword: `${PASSWORD}2` };
    await assertOk(restClient(app.url, first).put("/api/auth/password", passwords));

    const own = await activityOf(restClient(app.url, first));

    expect(own).toContainEqual(
      expect.objectContaining({
        action: "users.resetPassword",
        ip: null,
        userAgent: null,
        changes: [],
      }),
    );
  });

  it("has what was done with second factor and tokens, also by others", async () => {
    const client = await app.account("client");
    const { recoveryCodes } = await enableSecondFactor(client, START);
    const own = { password: PASSWORD, code: recoveryCodes[0] };
    await assertOk(client.post("/api/auth/totp/recovery-codes", own));
    const token = await makeToken(app.url, client, { expiresAt: START + DAY_SECONDS });
    await assertOk(app.root.delete(`/api/users/${client.id}/tokens/${token.id}`));

    const activity = await activityOf(client);

    expect(activity.map(({ action, ip }: ActivityFields) => [action, ip])).toEqual([
      ["users.revokeToken", null],
      ["auth.createToken", "127.0.0.1"],
      ["auth.renewRecoveryCodes", "127.0.0.1"],
      ["auth.confirmTotp", "127.0.0.1"],
      ["auth.setUpTotp", "127.0.0.1"],
      ["auth.login", "127.0.0.1"],
    ]);
  });

  it("tells a password that waits for a code, a code of the phone and a recovery code apart", async () => {
    const client = await app.account("client", { username: "kehu" });
    const { secret, recoveryCodes } = await enableSecondFactor(client, START);
    clock.forward(STEP);
    const code = codeAt(secret, clock.now());

    for (const each of [code, recoveryCodes[0]]) {
      const { challenge } = (await assertOk(signInAs("kehu", PASSWORD))).data.secondFactor;
      await assertOk(app.anonymous.post("/api/auth/second-factor", { challenge, code: each }));
    }

    const awaited = [{ field: "secondFactor", from: null, to: "awaited" }];
    const signIns = [
      { action: "auth.secondFactor", changes: [{ field: "recoveryCodes", from: 10, to: 9 }] },
      { action: "auth.login", changes: awaited },
      { action: "auth.secondFactor", changes: [] },
      { action: "auth.login", changes: awaited },
    ];
    const own = await activityOf(client);
    const all = await entriesOf(`subjectId=${client.id}&action=auth&limit=4`);
    clock.rewind();
    expect(own.slice(0, 4)).toMatchObject(signIns.map((each) => ({ ...each, outcome: "ok" })));
    const anonymous = { type: "anonymous", id: null };
    expect(all).toMatchObject([
      { ...signIns[0], actor: { id: client.id } },
      { ...signIns[1], actor: anonymous, subject: { id: client.id } },
      { ...signIns[2], actor: { id: client.id } },
      { ...signIns[3], actor: anonymous, subject: { id: client.id } },
    ]);
  });

  it("goes back 90 days", async () => {
    const ages = [89, 91];
    for (const age of ages) {
      await app.database.query(
        `insert into audit_entries (id, at, actor_type, action, outcome, subject_type, subject_id)
         values (gen_random_uuid(), $1, 'user', 'auth.login', 'ok', 'user', $2)`,
        [START - age * DAY_SECONDS, app.root.id],
      );
    }

    const own = await activityOf(app.root);

    expect(own.map(({ at }: { readonly at: number }) => (START - at) / DAY_SECONDS)).toEqual([
      0, 89,
    ]);
  });
});
