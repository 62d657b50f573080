import { describe, expect, it, vi } from "vitest";
import type { Host } from "../../src/shared/hosts.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import { useApp } from "../harness/app.ts";
import { connectBeside, waitsForLock } from "../harness/database.ts";
import { MISSING } from "../hosts/host-rows.ts";

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
    "starts none of a configuration that is switched off in the same moment",
    async () => {
      const configId = await app.config();
      await using beside = await connectBeside(app.database);
      await beside.query("begin");
      await beside.query("update configs set is_active = false where id = $1", [configId]);
      const sync = app.root.post(`/api/hosts/sync?configId=${configId}`);
      await vi.waitUntil(() => waitsForLock(beside), { interval: 5 });
      await beside.query("commit");
      const answer = await sync;
      expect([answer.status, answer.body]).toMatchObject([409, { code: "STATE_CONFLICT" }]);
      expect((await app.root.get("/api/hosts/sync-runs")).data.runs).toEqual([]);
    },
  );

  it("takes over the hosts of a configuration that is switched off, and keeps them", async () => {
    const [old, next] = [await app.config(), await app.config()];
    await app.root.post(`/api/hosts/sync?configId=${old}`);
    const [host] = (await app.root.get("/api/hosts?limit=1")).data.hosts;
    expect(host.configId).toBe(old);
    await app.root.put(`/api/hosts/configs/${old}`, { isActive: false });
    app.simulator.control.removeHosts({ count: 1 });
    // Nobody has looked after them: the one that was deleted meanwhile stays with the old one until that is deleted, too.
    const taken = await app.root.post("/api/hosts/sync");
    expect(taken.data.runs).toMatchObject([{ configId: next, created: 0, updated: 59, unchanged: 0, gone: 0 }]);
    expect((await app.root.get(`/api/hosts?configId=${next}`)).data.pagination.total).toBe(59);
    app.simulator.control.removeHosts({ count: 1 });
    await app.root.put(`/api/hosts/configs/${old}`, { isActive: true });
    const both = await app.root.post("/api/hosts/sync");
    expect(both.data.runs.map(({ updated, gone }: SyncRun) => ({ updated, gone }))).toEqual([
      { updated: 0, gone: 1 },
      { updated: 0, gone: 1 },
    ]);
    const { hosts } = (await app.root.get("/api/hosts?limit=100")).data;
    expect(hosts.map(({ configId }: Host) => configId)).toEqual(Array(58).fill(next));
  });

  it("answers the whole run: who asked, through what, and what came of it", async () => {
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

  it("waits no longer than it was told to, and answers the running run to everybody who asks", async () => {
    await app.config();
    app.simulator.control.hold(LISTING);
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.root.post("/api/hosts/sync?wait=1")));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ data }) => data.runs[0].id)).size).toBe(1);
    expect(answers[0]?.data.runs[0].status).toBe("running");
    app.simulator.control.release();
    const again = await app.root.post("/api/hosts/sync");
    expect(again.data.runs[0].status).toBe("succeeded");
    expect(app.simulator.control.calls().byAction.GetRegion).toBeLessThanOrEqual(2);
  });

  it("has nothing to sync without a configuration, knows no foreign one, and refuses one that is switched off", async () => {
    const none = await app.root.post("/api/hosts/sync");
    expect([none.status, none.body]).toMatchObject([
      409,
      { code: "STATE_CONFLICT", message: expect.stringContaining("添加或启用配置") },
    ]);
    const unknown = await app.root.post(`/api/hosts/sync?configId=${MISSING}`);
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: "NOT_FOUND" }]);
    const off = await app.config({ isActive: false });
    const refused = await app.root.post(`/api/hosts/sync?configId=${off}`);
    expect([refused.status, refused.body]).toMatchObject([409, { code: "STATE_CONFLICT" }]);
  });

  it.each([
    ["wait=26"],
    ["wait=-1"],
    ["wait=1.5"],
    ["wait=1e1"],
    ["wait="],
    ["wait=1&wait=2"],
    ["configId=x"],
    ["all=1"],
  ])("refuses ?%s", async (query) => {
    expect((await app.root.post(`/api/hosts/sync?${query}`)).status).toBe(400);
  });

  it("takes its fields from the query only", async () => {
    expect((await app.root.post("/api/hosts/sync", { wait: 0 })).status).toBe(400);
  });
});

describe("POST /api/hosts/sync-runs/{id}/cancel", () => {
  it("stops a running run within two seconds, keeps what was written and marks nothing gone", async () => {
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
    app.simulator.control.release();
    expect(await app.database.query("select count(*)::int as hosts from hosts where gone_at is null")).toEqual([
      { hosts: 60 },
    ]);
    expect((await app.root.post("/api/hosts/sync")).data.runs[0]).toMatchObject({ status: "succeeded", gone: 2 });
  });

  it("counts as read only what was written before the stop", async () => {
    await app.config();
    app.simulator.control.hold({ ...LISTING, region: "hk" });
    const started = await app.root.post("/api/hosts/sync?wait=0");
    await app.simulator.control.waitForHeld();
    const answered = () => app.simulator.control.calls().last.filter(({ durationMs }) => durationMs !== undefined);
    await expect.poll(() => answered().some(({ region }) => region === "cn-bj2"), { interval: 2 }).toBe(true);
    const cancelled = await app.root.post(`/api/hosts/sync-runs/${started.data.runs[0].id}/cancel`);
    const { hostsSeen, created, updated, unchanged } = cancelled.data;
    expect([cancelled.data.status, hostsSeen]).toEqual(["cancelled", created + updated + unchanged]);
    expect(await app.database.query("select count(*)::int as hosts from hosts")).toEqual([{ hosts: created }]);
  });

  it("is what switching its configuration off does, whether the run has begun or waits for its turn", async () => {
    const configIds = [
      await app.config(),
      await app.config(),
      await app.config(),
      await app.config(),
      await app.config(),
    ];
    app.simulator.control.hold(LISTING);
    const started = await app.root.post("/api/hosts/sync?wait=0");
    await app.simulator.control.waitForHeld();
    const runs: { id: string; status: string }[] = started.data.runs;
    for (const id of configIds) await app.root.put(`/api/hosts/configs/${id}`, { isActive: false });
    const calls = app.simulator.control.calls().total;
    for (const { id } of runs) {
      const { data } = await app.root.get(`/api/hosts/sync-runs/${id}`);
      expect(data).toMatchObject({ status: "cancelled", finishedAt: expect.any(Number), gone: 0 });
    }
    app.simulator.control.release();
    expect(app.simulator.control.calls().total).toBe(calls);
    expect(await app.database.query("select type from events where type = 'sync.finished'")).toHaveLength(runs.length);
    await app.root.put(`/api/hosts/configs/${configIds[0]}`, { isActive: true });
    const again = await app.root.post("/api/hosts/sync");
    expect(again.data.runs).toMatchObject([{ configId: configIds[0], status: "succeeded", hostsSeen: 60 }]);
  });

  it("is not what any other change of its configuration does", async () => {
    const configId = await app.config();
    app.simulator.control.hold(LISTING);
    const started = await app.root.post("/api/hosts/sync?wait=0");
    await app.simulator.control.waitForHeld();
    await app.root.put(`/api/hosts/configs/${configId}`, { name: "新名称", isActive: true });
    app.simulator.control.release();
    const run = await app.root.post("/api/hosts/sync");
    expect(run.data.runs).toMatchObject([{ id: started.data.runs[0].id, status: "succeeded" }]);
  });

  it("refuses a run that is over, and knows no other", async () => {
    await app.config();
    const { id } = (await app.root.post("/api/hosts/sync")).data.runs[0];
    const over = await app.root.post(`/api/hosts/sync-runs/${id}/cancel`);
    expect([over.status, over.body]).toMatchObject([409, { code: "STATE_CONFLICT" }]);
    const unknown = await app.root.post(`/api/hosts/sync-runs/${MISSING}/cancel`);
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: "NOT_FOUND" }]);
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

describe("whoever is not a super admin", () => {
  const CALLS = [
    ["POST", "/api/hosts/sync"],
    ["POST", `/api/hosts/${MISSING}/sync`],
    ["GET", "/api/hosts/sync-runs"],
    ["GET", `/api/hosts/sync-runs/${MISSING}`],
    ["POST", `/api/hosts/sync-runs/${MISSING}/cancel`],
    ["POST", "/api/hosts/batch"],
  ] as const;

  it("may neither sync nor see runs", async () => {
    for (const role of ["admin", "client"] as const) {
      const account = await app.account(role);
      for (const [method, path] of CALLS) expect((await account.raw(method, path)).status).toBe(403);
    }
    for (const [method, path] of CALLS) expect((await app.anonymous.raw(method, path)).status).toBe(401);
  });
});
