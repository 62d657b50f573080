import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Host } from "../../src/shared/hosts.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import { useApp } from "../harness/app.ts";
import { assign, failureOf, insertRun, MISSING } from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { assertOk } from "../harness/rest.ts";
import { Stopwatch } from "../harness/stopwatch.ts";
import { within } from "../harness/time-limits.ts";

const app = useApp({ simulator: { hosts: 60, projects: 3, regions: ["cn-bj2", "hk"] } });
const LISTING = { action: "DescribeUHostInstance" } as const;

async function hosts(query = ""): Promise<Host[]> {
  return (await app.root.get(`/api/hosts?limit=100&${query}`)).data.hosts;
}

async function sync(query = ""): Promise<SyncRun[]> {
  const { status, data } = await app.root.post(`/api/hosts/sync?${query}`);
  expect(status).toBe(200);
  return data.runs;
}

/** Starts a run whose calls to the provider hang. */
async function startHeld(query = "", match: { readonly region?: string } = {}): Promise<string> {
  app.simulator.control.hold({ ...LISTING, ...match });
  const [run] = await sync(`wait=0&${query}`);
  await app.simulator.control.waitForHeld();
  return run?.id ?? "";
}

describe("a server that is asked to sync", () => {
  it("syncs every active configuration and answers the whole runs", async () => {
    const ids = [
      await app.config({ name: "生产账号" }),
      await app.config(),
      await app.config({ isActive: false }),
    ];

    const runs = await sync();

    expect(runs.map(({ configId }) => configId).toSorted()).toEqual(ids.slice(0, 2).toSorted());
    expect(runs.find(({ configId }) => configId === ids[0])).toEqual({
      id: expect.any(String),
      configId: ids[0],
      configName: "生产账号",
      trigger: "manual",
      requestedBy: { id: app.root.id, name: "系统管理员" },
      status: "succeeded",
      startedAt: expect.any(Number),
      finishedAt: expect.any(Number),
      regionsTotal: 33,
      regionsDone: 33,
      hostsSeen: 60,
      hostsTotal: 60,
      created: expect.any(Number),
      updated: 0,
      unchanged: expect.any(Number),
      gone: 0,
      rejected: 0,
      errors: [],
    });
    expect(runs.reduce((sum, { created }) => sum + created, 0)).toBe(60);
  });

  it("waits no longer than `wait` and answers the running run to every caller", async () => {
    await app.config();
    app.simulator.control.hold(LISTING);

    const [one, other] = await Promise.all([sync("wait=1"), sync("wait=1")]);

    expect(one).toMatchObject([{ id: other?.[0]?.id, status: "running" }]);
    app.simulator.control.release();
    expect(await sync()).toMatchObject([{ status: "succeeded" }]);
    expect(app.simulator.control.calls().byAction.GetRegion).toBeLessThanOrEqual(2);
  });

  it("answers when the last of the runs has ended", async () => {
    await app.config();
    await app.config({ publicKey: "unknown" });
    app.simulator.control.hold(LISTING);
    const answer = sync();
    await app.simulator.control.waitForHeld();
    const failed = async () => (await app.root.get("/api/hosts/sync-runs?status=failed")).data.runs;
    await expect.poll(failed).toHaveLength(1);

    app.simulator.control.release();

    expect((await answer).map(({ status }) => status).toSorted()).toEqual(["failed", "succeeded"]);
  });

  it("refuses without any active configuration, and says what to do", async () => {
    const answer = await app.root.post("/api/hosts/sync");

    expect(failureOf(answer)).toEqual([409, "STATE_CONFLICT"]);
    expect(answer.data.message).toContain("添加或启用配置");
  });

  it("refuses a configuration that is switched off or does not exist", async () => {
    const inactive = await app.config({ isActive: false });
    const ask = async (id: string) =>
      failureOf(await app.root.post(`/api/hosts/sync?configId=${id}`));

    expect(await ask(inactive)).toEqual([409, "STATE_CONFLICT"]);
    expect(await ask(MISSING)).toEqual([404, "NOT_FOUND"]);
  });

  it.each([
    "wait=26",
    "wait=-1",
    "wait=1.5",
    "wait=1e1",
    "wait=",
    "wait=1&wait=2",
    "configId=x",
    "all=1",
  ])("refuses a malformed query: %s", async (query) => {
    expect((await app.root.post(`/api/hosts/sync?${query}`)).status).toBe(400);
  });

  itOnPostgresql(
    "starts no run of a configuration that is switched off at the same moment",
    async () => {
      const configId = await app.config();
      const statement = "update configs set is_active = false where id = $1";
      await using change = await holdLock(app.database, statement, [configId]);
      const answer = app.root.post(`/api/hosts/sync?configId=${configId}`);
      await change.awaited();

      await change.release();

      expect(failureOf(await answer)).toEqual([409, "STATE_CONFLICT"]);
      expect((await app.root.get("/api/hosts/sync-runs")).data.runs).toEqual([]);
    },
  );

  describe("and then for its runs", () => {
    let one: string;
    let runs: readonly SyncRun[];

    async function list(query = "") {
      return (await app.root.get(`/api/hosts/sync-runs?${query}`)).data;
    }

    /** A run that succeeds, one of another configuration that fails, and one that succeeds. */
    beforeEach(async () => {
      one = await app.config();
      const other = await app.config({ privateKey: "wrong" });
      const ended: SyncRun[] = [];
      for (const configId of [one, other, one]) ended.push(...(await sync(`configId=${configId}`)));
      runs = ended.toReversed();
    });

    it("lists the newest first", async () => {
      const pagination = { page: 1, limit: 20, total: 3, totalPages: 1 };
      expect(await list()).toEqual({ runs, pagination });
    });

    it("lists them in pages", async () => {
      const pagination = { page: 2, limit: 1, total: 3, totalPages: 3 };
      expect(await list("limit=1&page=2")).toEqual({ runs: [runs[1]], pagination });
    });

    it("lists those of a configuration or a status", async () => {
      expect((await list("status=failed")).runs).toEqual([runs[1]]);
      expect((await list(`configId=${one}`)).runs).toEqual([runs[0], runs[2]]);
      expect((await app.root.get("/api/hosts/sync-runs?status=odd")).status).toBe(400);
    });

    it("reads one by its id", async () => {
      expect((await app.root.get(`/api/hosts/sync-runs/${runs[0]?.id}`)).data).toEqual(runs[0]);
      expect((await app.root.get(`/api/hosts/sync-runs/${MISSING}`)).status).toBe(404);
    });
  });
});

describe("a server that executes a run", () => {
  it("ends it within two seconds of a cancel, and keeps what was written", async () => {
    await app.config();
    await sync();
    app.simulator.control.removeHosts({ region: "cn-bj2", count: 2 });
    const id = await startHeld("", { region: "hk" });

    using stopwatch = new Stopwatch();
    const { status, data } = await app.root.post(`/api/hosts/sync-runs/${id}/cancel`);
    const passed = stopwatch.read();
    app.simulator.control.release();

    expect([status, data]).toMatchObject([200, { status: "cancelled", gone: 0 }]);
    expect(passed).toBeLessThan(within(2_000));
    expect(await hosts()).toHaveLength(60);
    expect(await sync()).toMatchObject([{ status: "succeeded", gone: 2 }]);
  });

  it("cancels no run that has ended or does not exist", async () => {
    await app.config();
    const [run] = await sync();
    const cancel = async (id = "") =>
      failureOf(await app.root.post(`/api/hosts/sync-runs/${id}/cancel`));

    expect(await cancel(run?.id)).toEqual([409, "STATE_CONFLICT"]);
    expect(await cancel(MISSING)).toEqual([404, "NOT_FOUND"]);
  });

  it("ends it after 30 minutes, keeps what was written and marks nothing gone", async () => {
    const { timeout } = AbortSignal;
    const limit = new AbortController();
    const begin = (ms: number) =>
      ms === 30 * 60_000 ? limit.signal : timeout.call(AbortSignal, ms);
    using _limited = vi.spyOn(AbortSignal, "timeout").mockImplementation(begin);
    await app.config();
    const id = await startHeld("", { region: "hk" });
    await vi.waitUntil(async () => (await hosts()).length > 0, { timeout: within(10_000) });

    limit.abort();

    const run = async () => (await app.root.get(`/api/hosts/sync-runs/${id}`)).data;
    const ended = { status: "partial", gone: 0, errors: [{ code: "run-timeout" }] };
    await expect.poll(run).toMatchObject(ended);
  });

  const edit = (input: object) => (id: string) => app.root.put(`/api/hosts/configs/${id}`, input);

  it.each([
    ["switched off", edit({ isActive: false })],
    ["limited to some projects", edit({ projectIds: ["org-one"] })],
    ["deleted", (id: string) => app.root.delete(`/api/hosts/configs/${id}`)],
  ])("cancels it, running or queued, when its configuration is %s", async (_how, change) => {
    // The first one, the default, cannot be deleted.
    await app.config();
    const running = await app.config();
    const queued = await app.config();
    const id = await startHeld(`configId=${running}`);
    await insertRun(app, queued, { status: "queued" });

    for (const configId of [running, queued]) expect((await change(configId)).status).toBe(200);

    const { data } = await app.root.get("/api/hosts/sync-runs");
    const cancelled = {
      status: "cancelled",
      finishedAt: expect.any(Number),
      hostsSeen: 0,
      gone: 0,
    };
    expect(data.runs).toMatchObject([cancelled, cancelled]);
    expect(
      await app.database.query("select 1 from events where type = 'sync.finished'"),
    ).toHaveLength(2);
    app.simulator.control.release();
    const jobs = () =>
      app.database.query("select state from pgboss.job where data->>'runId' = $1", [id]);
    await expect.poll(jobs).toEqual([{ state: "completed" }]);
    expect(await hosts()).toEqual([]);
  });

  it("keeps it when another field of its configuration changes", async () => {
    const configId = await app.config();
    const id = await startHeld();

    await edit({ name: "新名称", isActive: true })(configId);

    app.simulator.control.release();
    expect(await sync("wait=25")).toMatchObject([{ id, status: "succeeded" }]);
  });
});

it("a configuration that names fewer projects releases the hosts of the others", async () => {
  const { control } = app.simulator;
  const config = await app.config();
  await sync();
  const named = control.projects().map(({ id }) => id);
  const released = control.hosts({ projectId: named.pop() }).map(({ id }) => id);
  const updated = control.hosts({ projectId: named[0] }).length;
  // As a run writes them before any project is named.
  await app.database.query("update hosts set project_id = '' where project_id = $1", [named[0]]);
  const client = await app.account("client");
  const host = (await hosts()).find(({ ucloudId }) => released.includes(ucloudId));
  await assign(app, host?.id ?? "", client.id);

  await assertOk(app.root.put(`/api/hosts/configs/${config}`, { projectIds: named }));

  const gone = await hosts("gone=true");
  expect(gone.map(({ ucloudId }) => ucloudId).toSorted()).toEqual(released.toSorted());
  expect(gone.filter(({ configId }) => configId !== null)).toEqual([]);
  expect((await client.get(`/api/hosts/${host?.id}`)).data.goneAt).toEqual(expect.any(Number));
  expect(await sync()).toMatchObject([
    { status: "succeeded", created: 0, updated, gone: 0, errors: [] },
  ]);
});
