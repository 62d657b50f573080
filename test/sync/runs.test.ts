import { describe, expect, it, vi } from "vitest";
import { useApp } from "../harness/app.ts";
import { failureOf, MISSING } from "../harness/data.ts";
import { connectBeside, waitsForLock } from "../harness/database.ts";

const app = useApp({ simulator: { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] } });
const LISTING = { action: "DescribeUHostInstance" } as const;

describe("POST /api/hosts/sync", () => {
  it("syncs every active configuration when none is named", async () => {
    const [one, other, off] = [await app.config(), await app.config(), await app.config({ isActive: false })];
    const answer = await app.root.post("/api/hosts/sync");
    expect(answer.status).toBe(200);
    const runs: { configId: string; status: string }[] = answer.data.runs;
    expect(runs.map(({ configId }) => configId).sort()).toEqual([one, other].sort());
    expect(runs.every(({ status }) => status === "succeeded")).toBe(true);
    expect((await app.root.get(`/api/hosts/sync-runs?configId=${off}`)).data.runs).toEqual([]);
  });

  it.skipIf(process.env.TEST_DATABASE_URL === undefined)(
    "starts no run of a configuration that is switched off at the same moment",
    async () => {
      const configId = await app.config();
      await using beside = await connectBeside(app.database);
      await beside.query("begin");
      await beside.query("update configs set is_active = false where id = $1", [configId]);
      const sync = app.root.post(`/api/hosts/sync?configId=${configId}`);
      await vi.waitUntil(() => waitsForLock(beside), { interval: 5 });
      await beside.query("commit");
      expect(failureOf(await sync)).toEqual([409, "STATE_CONFLICT"]);
      expect((await app.root.get("/api/hosts/sync-runs")).data.runs).toEqual([]);
    },
  );

  it("answers the whole run", async () => {
    const configId = await app.config({ name: "生产账号" });
    const answer = await app.root.post(`/api/hosts/sync?configId=${configId}`);
    expect(answer.data.runs).toEqual([
      {
        id: expect.any(String),
        configId,
        configName: "生产账号",
        trigger: "manual",
        status: "succeeded",
        requestedBy: { id: app.root.id, name: "系统管理员" },
        startedAt: expect.any(Number),
        finishedAt: expect.any(Number),
        regionsTotal: 33,
        regionsDone: 33,
        hostsTotal: 60,
        hostsSeen: 60,
        created: 60,
        updated: 0,
        unchanged: 0,
        gone: 0,
        rejected: 0,
        errors: [],
      },
    ]);
  });

  it("waits no longer than `wait` and answers the running run to every caller", async () => {
    await app.config();
    app.simulator.control.hold(LISTING);
    const answers = await Promise.all([1, 2].map(() => app.root.post("/api/hosts/sync?wait=1")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ data }) => data.runs[0].id)).size).toBe(1);
    expect(answers[0]?.data.runs[0].status).toBe("running");
    app.simulator.control.release();
    const again = await app.root.post("/api/hosts/sync");
    expect(again.data.runs[0].status).toBe("succeeded");
    expect(app.simulator.control.calls().byAction.GetRegion).toBeLessThanOrEqual(2);
  });

  it("refuses to sync without a configuration, an unknown one and an inactive one", async () => {
    const none = await app.root.post("/api/hosts/sync");
    expect(failureOf(none)).toEqual([409, "STATE_CONFLICT"]);
    expect(none.data.message).toContain("添加或启用配置");
    const off = await app.config({ isActive: false });
    expect(failureOf(await app.root.post(`/api/hosts/sync?configId=${MISSING}`))).toEqual([404, "NOT_FOUND"]);
    expect(failureOf(await app.root.post(`/api/hosts/sync?configId=${off}`))).toEqual([409, "STATE_CONFLICT"]);
  });

  it("refuses a malformed query", async () => {
    const queries = ["wait=26", "wait=-1", "wait=1.5", "wait=1e1", "wait=", "wait=1&wait=2", "configId=x", "all=1"];
    for (const query of queries) expect((await app.root.post(`/api/hosts/sync?${query}`)).status, query).toBe(400);
  });
});

describe("POST /api/hosts/sync-runs/{id}/cancel", () => {
  it("ends a running run within two seconds, keeps what was written, marks nothing gone and refuses ended runs", async () => {
    await app.config();
    await app.root.post("/api/hosts/sync");
    app.simulator.control.removeHosts({ region: "cn-bj2", count: 2 });
    app.simulator.control.hold({ ...LISTING, region: "hk" });
    const started = await app.root.post("/api/hosts/sync?wait=0");
    const { id } = started.data.runs[0];
    await app.simulator.control.waitForHeld();
    const before = performance.now();
    const cancelled = await app.root.post(`/api/hosts/sync-runs/${id}/cancel`);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect([cancelled.status, cancelled.data]).toMatchObject([200, { id, status: "cancelled", gone: 0 }]);
    expect(failureOf(await app.root.post(`/api/hosts/sync-runs/${id}/cancel`))).toEqual([409, "STATE_CONFLICT"]);
    expect(failureOf(await app.root.post(`/api/hosts/sync-runs/${MISSING}/cancel`))).toEqual([404, "NOT_FOUND"]);
    app.simulator.control.release();
    expect((await app.root.get("/api/hosts")).data.pagination.total).toBe(60);
    expect((await app.root.post("/api/hosts/sync")).data.runs[0]).toMatchObject({ status: "succeeded", gone: 2 });
  });
});

describe("a live run", () => {
  it.each([
    ["switched off", (id: string) => app.root.put(`/api/hosts/configs/${id}`, { isActive: false })],
    ["deleted", (id: string) => app.root.delete(`/api/hosts/configs/${id}`)],
  ])("is cancelled, running or queued, when its configuration is %s, and writes nothing more", async (_how, change) => {
    // The first one, the default, cannot be deleted.
    const [, running, queued] = [await app.config(), await app.config(), await app.config()];
    app.simulator.control.hold(LISTING);
    const started = await app.root.post(`/api/hosts/sync?configId=${running}&wait=0`);
    const { id } = started.data.runs[0];
    await app.simulator.control.waitForHeld();
    await app.database.query(
      `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
       values (gen_random_uuid(), $1, '', 'manual', 'queued', 1)`,
      [queued],
    );
    for (const configId of [running, queued]) expect((await change(configId)).status).toBe(200);
    const { data } = await app.root.get("/api/hosts/sync-runs");
    const cancelled = { status: "cancelled", finishedAt: expect.any(Number), hostsSeen: 0, gone: 0 };
    expect(data.runs).toMatchObject([cancelled, cancelled]);
    expect(await app.database.query("select 1 from events where type = 'sync.finished'")).toHaveLength(2);
    app.simulator.control.release();
    const jobs = () => app.database.query("select state from pgboss.job where data->>'runId' = $1", [id]);
    await expect.poll(jobs, { timeout: 10_000 }).toEqual([{ state: "completed" }]);
    expect((await app.root.get("/api/hosts")).data.pagination.total).toBe(0);
  });

  it("is kept when another field of its configuration changes", async () => {
    const configId = await app.config();
    app.simulator.control.hold(LISTING);
    const started = await app.root.post("/api/hosts/sync?wait=0");
    await app.simulator.control.waitForHeld();
    await app.root.put(`/api/hosts/configs/${configId}`, { name: "新名称", isActive: true });
    app.simulator.control.release();
    const status = async () => (await app.root.get(`/api/hosts/sync-runs/${started.data.runs[0].id}`)).data.status;
    await expect.poll(status, { timeout: 10_000 }).toBe("succeeded");
  });
});

describe("GET /api/hosts/sync-runs", () => {
  it("lists newest first, in pages, by configuration and status", async () => {
    const [one, other] = [await app.config(), await app.config({ privateKey: "wrong" })];
    for (const configId of [one, other, one]) await app.root.post(`/api/hosts/sync?configId=${configId}`);
    const all = await app.root.get("/api/hosts/sync-runs");
    expect(all.data.pagination).toEqual({ page: 1, limit: 20, total: 3, totalPages: 1 });
    expect(all.data.runs.map((run: { configId: string }) => run.configId)).toEqual([one, other, one]);
    const second = await app.root.get("/api/hosts/sync-runs?limit=1&page=2");
    expect(second.data.runs).toEqual([all.data.runs[1]]);
    expect(second.data.pagination).toEqual({ page: 2, limit: 1, total: 3, totalPages: 3 });
    const failed = await app.root.get("/api/hosts/sync-runs?status=failed");
    expect(failed.data.runs).toEqual([all.data.runs[1]]);
    const ofOne = await app.root.get(`/api/hosts/sync-runs?configId=${one}`);
    expect(ofOne.data.runs).toEqual([all.data.runs[0], all.data.runs[2]]);
    expect((await app.root.get(`/api/hosts/sync-runs/${all.data.runs[0].id}`)).data).toEqual(all.data.runs[0]);
    expect((await app.root.get(`/api/hosts/sync-runs/${MISSING}`)).status).toBe(404);
    expect((await app.root.get("/api/hosts/sync-runs?status=odd")).status).toBe(400);
  });
});
