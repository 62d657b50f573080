import { describe, expect, it } from "vitest";
import type { SyncStatus } from "../../src/shared/sync.ts";
import { useApp } from "../harness/app.ts";
import {
  assign,
  buildConfig,
  failureOf,
  idsOf,
  insertHost,
  insertHosts,
  insertRun,
  MISSING,
  now,
} from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";

const app = useApp();
const CONFIGS = "/api/hosts/configs";
const PUBLIC_KEY = "4eBx+public/Key=0123456789AbCd==";

const create = (more: object = {}) =>
  app.root.post(CONFIGS, buildConfig({ publicKey: PUBLIC_KEY, ...more }));
const update = (id: string, changes: object) => app.root.put(`${CONFIGS}/${id}`, changes);
const twoConfigs = async () => ({ kept: await app.config(), removed: await app.config() });
const list = async () => (await app.root.get(`${CONFIGS}/list`)).data;

async function stored(id: string): Promise<Record<string, unknown>> {
  const [row] = await app.database.query("select * from configs where id = $1", [id]);
  return row ?? {};
}

const IS_SUCCESS: Readonly<Record<SyncStatus, boolean>> = {
  queued: false,
  running: false,
  succeeded: true,
  partial: true,
  failed: false,
  cancelled: false,
  interrupted: false,
};

describe("provider configurations", () => {
  it("are shown with trimmed keys, a masked key only and the address as typed", async () => {
    const created = await create({
      publicKey: ` ${PUBLIC_KEY}\n`,
      apiUrl: "HTTPS://API.ucloud.cn/?x=1",
      remark: "财务 <b>",
      projectIds: ["org-1", " org-1 ", "org-2"],
    });
    expect(created.status).toBe(201);
    expect(created.data).toEqual({
      id: expect.any(String),
      name: "主账号",
      publicKey: "4eBx****Cd==",
      apiUrl: "HTTPS://API.ucloud.cn/?x=1",
      defaultRegion: "cn-bj2",
      projectIds: ["org-1", "org-2"],
      isDefault: true,
      isActive: true,
      remark: "财务 <b>",
      createdAt: expect.any(Number),
      hostCount: 0,
      lastSync: null,
      syncIntervalMinutes: 60,
      nextSyncAt: expect.any(Number),
      lastSuccessAt: null,
      schedulePausedReason: null,
      balance: null,
      balanceAlert: null,
      isStale: false,
    });
    expect(await list()).toEqual([created.data]);
    expect((await stored(created.data.id)).public_key).toBe(PUBLIC_KEY);
    const short = await create({ publicKey: "12345678", isActive: false });
    expect(short.data).toMatchObject({ publicKey: "****", isActive: false });
  });

  it("are stored without invisible characters around what was typed", async () => {
    const { data } = await create({
      publicKey: `\u200b${PUBLIC_KEY}\ufeff`,
      apiUrl: " https://api.ucloud.cn\u200b",
      defaultRegion: "\u2060hk ",
      projectIds: ["org-1", "\u200borg-1", "org-2\u200d"],
      remark: "\ufeff第一行\n第二行\u200b",
    });

    const expected = {
      apiUrl: "https://api.ucloud.cn",
      defaultRegion: "hk",
      projectIds: ["org-1", "org-2"],
    };
    expect(data).toMatchObject({ ...expected, remark: "第一行\n第二行" });
    expect((await stored(data.id)).public_key).toBe(PUBLIC_KEY);
  });

  it("keep absent fields and blank keys at an update, and change the others", async () => {
    const { data } = await create({ remark: "r", projectIds: ["org-1"] });
    const before = await stored(data.id);
    const answer = await update(data.id, { name: "新名称", publicKey: "  ", privateKey: "" });
    expect(answer.data).toEqual({ ...data, name: "新名称" });
    expect(await stored(data.id)).toEqual({ ...before, name: "新名称" });
    await update(data.id, { privateKey: "another-private-key", remark: null, isActive: false });
    const after = await stored(data.id);
    expect(after.private_key_sealed).not.toBe(before.private_key_sealed);
    expect(after).toMatchObject({ remark: null, is_active: false, public_key: PUBLIC_KEY });
    const place = { apiUrl: "https://api.ucloud.cn/new", defaultRegion: "hk" };
    const changed = await update(data.id, { ...place, publicKey: "another-public-key" });
    expect(changed.data).toMatchObject({ ...place, publicKey: "anot****-key" });
  });

  it("count their present hosts, each their own, after a change too", async () => {
    const { data } = await create({ projectIds: ["org-1", "org-2"] });
    const other = await app.config();
    await insertHosts(app, [
      { config_id: data.id },
      { config_id: data.id, project_id: "org-2" },
      { config_id: data.id, gone_at: 1_780_000_000 },
      { config_id: other },
      { config_id: null },
    ]);

    const listed = await list();
    const narrowed = await update(data.id, { projectIds: ["org-2"] });

    const counts = listed.map(({ id, hostCount }: { id: string; hostCount: number }) => [
      id,
      hostCount,
    ]);
    expect(counts).toEqual([
      [data.id, 2],
      [other, 1],
    ]);
    expect(narrowed.data.hostCount).toBe(1);
  });

  it("show their latest run", async () => {
    const { data } = await create();
    await insertRun(app, data.id, { status: "failed" });
    const requestedBy = { id: app.root.id, name: "根" };
    const errors = [{ region: "hk", projectId: null, code: "153", message: "限流" }];
    const latest = {
      status: "partial",
      requested_by: requestedBy.id,
      requested_by_name: requestedBy.name,
      errors,
    };
    const id = await insertRun(app, data.id, latest);
    const [{ lastSync }] = await list();
    const expected = {
      id,
      configId: data.id,
      status: "partial",
      requestedBy,
      finishedAt: null,
      errors,
    };

    expect(lastSync).toMatchObject(expected);
  });

  it.each(Object.entries(IS_SUCCESS))(
    "were last synced by a run that is %s: %s",
    async (status, isSuccess) => {
      const { data } = await create();
      const endedAt = now() - 60;
      await insertRun(app, data.id, { status, finished_at: endedAt });

      const [{ lastSuccessAt }] = await list();

      expect(lastSuccessAt).toBe(isSuccess ? endedAt : null);
    },
  );

  it("that do not exist are not found", async () => {
    for (const answer of [
      await update(MISSING, { name: "x" }),
      await app.root.delete(`${CONFIGS}/${MISSING}`),
      await app.root.post(`${CONFIGS}/${MISSING}/test`),
    ]) {
      expect(failureOf(answer)).toEqual([404, "NOT_FOUND"]);
    }
  });
});

describe("the default configuration", () => {
  const defaults = async () =>
    (await list())
      .filter(({ isDefault }: { isDefault: boolean }) => isDefault)
      .map(({ id }: { id: string }) => id);

  it("is the first one at first, and then the one that is made the default", async () => {
    const first = await app.config({ isDefault: false });
    await app.config();
    expect(await defaults()).toEqual([first]);
    const third = await app.config({ isDefault: true });
    expect(await defaults()).toEqual([third]);
    expect((await list())[0].id).toBe(third);
    for (let count = 0; count < 2; count++) {
      expect((await update(first, { isDefault: true })).data.isDefault).toBe(true);
      expect(await defaults()).toEqual([first]);
    }
  });

  it("keeps its flag and cannot be deleted, even as the last one", async () => {
    const first = await app.config();
    expect(failureOf(await app.root.delete(`${CONFIGS}/${first}`))).toEqual([409, "CONFLICT"]);
    const second = await app.config();
    expect(failureOf(await update(first, { isDefault: false, name: "lost" }))).toEqual([
      409,
      "STATE_CONFLICT",
    ]);
    expect((await update(second, { isDefault: false })).status).toBe(200);
    expect(await defaults()).toEqual([first]);
  });
});

describe("deleting a configuration", () => {
  it("keeps its hosts as gone with their assignments, and leaves those of others", async () => {
    const { kept, removed } = await twoConfigs();
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const ours = await insertHost(app, { name: "a", config_id: removed });
    const theirs = await insertHost(app, { name: "b", config_id: kept });
    const period = await assign(app, ours, client.id);
    await remove(removed);
    expect(idsOf(await app.root.get("/api/hosts"))).toEqual([theirs]);
    const gone = await app.root.get("/api/hosts?gone=true");
    const users = [{ id: client.id, ...period }];
    expect(gone.data.hosts).toMatchObject([
      { id: ours, configId: null, goneAt: expect.any(Number), users },
    ]);
    for (const account of [admin, client]) {
      expect((await account.get(`/api/hosts/${ours}`)).data.goneAt).toEqual(expect.any(Number));
      expect(idsOf(await account.get("/api/hosts"))).toEqual([ours]);
    }
    expect(await list()).toHaveLength(1);
  });

  it("releases more hosts than fit in one statement and names the assigned ones", async () => {
    const { removed } = await twoConfigs();
    const client = await app.account("client");
    const past = await insertHost(app, { config_id: removed, gone_at: 1_700_000_000 });
    const hosts = await insertHosts(app, Array<object>(5_001).fill({ config_id: removed }));
    const assigned = [hosts[0] ?? "", hosts.at(-1) ?? ""];
    for (const hostId of assigned) await assign(app, hostId, client.id);
    await remove(removed);
    const left = await app.database.query(
      "select id from hosts where gone_at is null or config_id = $1",
      [removed],
    );
    expect(left).toEqual([]);
    expect((await app.root.get(`/api/hosts/${past}`)).data.goneAt).toBe(1_700_000_000);
    const named =
      "select payload->'hostIds' as ids from events where type = 'hosts.changed' order by id desc limit 1";
    expect(new Set([(await app.database.query(named))[0]?.ids].flat())).toEqual(new Set(assigned));
  });

  it("names no host in its event when more than 1,000 are assigned", async () => {
    const { removed } = await twoConfigs();
    const client = await app.account("client");
    const hosts = await insertHosts(app, Array<object>(1_001).fill({ config_id: removed }));
    await app.database.query(
      `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
         assigned_by, assigned_by_name, created_at)
       select gen_random_uuid(), host_id, $2, '', '', 1, 2000000000, $2, '', 1 from unnest($1::uuid[]) host_id`,
      [hosts, client.id],
    );

    await remove(removed);

    const events = await app.database.query(
      "select payload from events where type = 'hosts.changed'",
    );
    expect(events).toEqual([{ payload: { configId: removed, hostIds: [], areTooMany: true } }]);
  });

  itOnPostgresql(
    "waits for the open transaction of its live run and does not block it",
    async () => {
      const { removed } = await twoConfigs();
      const run = await insertRun(app, removed);
      await using lock = await holdLock(
        app.database,
        "select from sync_runs where id = $1 for update",
        [run],
      );
      await lock.query("set local lock_timeout = '500ms'");
      const removal = remove(removed);
      await lock.awaited();
      const [written = ""] = await insertHosts({ database: lock }, [{ config_id: removed }]);
      await lock.release();
      await removal;

      const { data } = await app.root.get(`/api/hosts/${written}`);

      expect(data).toMatchObject({ configId: null, goneAt: expect.any(Number) });
    },
  );
});

async function remove(id: string): Promise<void> {
  const answer = await app.root.delete(`${CONFIGS}/${id}`);
  expect([answer.status, answer.data]).toEqual([200, {}]);
}
