import { describe, expect, it } from "vitest";
import type { Account } from "../harness/app.ts";
import { insertRun } from "../harness/data.ts";
import { hostIdsOf, noticesOf } from "../harness/inbox.ts";
import { assertOk } from "../harness/rest.ts";
import { startReplica } from "./replica.ts";
import { useSync } from "./sync-fixture.ts";

const HOUR = 3_600;
const { app, clock, databaseClock, sync, end } = useSync({ hosts: 12 });

/** Ended runs in a row, the newest last. */
async function insertRuns(configId: string, ...statuses: readonly string[]): Promise<void> {
  for (const status of statuses) {
    clock.forward(60);
    const at = clock.now();
    const times = { queued_at: at, started_at: at, finished_at: at };
    await insertRun(app, configId, { ...times, status });
  }
  clock.forward(60);
}

const refuse = () => app.simulator.control.addFaults({ fault: { kind: "retCode", retCode: 172 } });

const setBalance = (AmountAvailable: number) =>
  app.simulator.control.addFaults({
    action: "GetBalance",
    fault: {
      kind: "patchBody",
      set: { Amount: 100, AmountAvailable },
      drop: ["AccountInfo"],
    },
  });

async function countOf(type: Parameters<typeof noticesOf>[1], reader: Account = app.root) {
  return (await noticesOf(reader, type)).length;
}

describe("super admins are told of failing syncs", () => {
  it("with the third failure in a row, once until one succeeds", async () => {
    const configId = await app.config({ name: "生产账号" });
    const admin = await app.account("admin");
    await insertRuns(configId, "succeeded", "failed", "failed");
    refuse();

    await sync(configId);
    const [notice] = await noticesOf(app.root, "sync.failing");
    await sync(configId);

    expect(notice).toMatchObject({
      severity: "warning",
      title: "配置“生产账号”连续 3 次同步失败",
      link: `/configs?config=${configId}`,
      items: [],
    });
    expect(await countOf("sync.failing")).toBe(1);
    expect(await countOf("sync.failing", admin)).toBe(0);

    await insertRuns(configId, "partial", "failed", "failed");
    await sync(configId);
    expect(await countOf("sync.failing")).toBe(2);
  });

  it("not before, and not because runs were cancelled or interrupted", async () => {
    const configId = await app.config();
    await insertRuns(configId, "failed", "cancelled", "interrupted");
    refuse();

    await sync(configId);
    expect(await countOf("sync.failing")).toBe(0);

    await insertRuns(configId, "interrupted");
    await sync(configId);
    expect(await countOf("sync.failing")).toBe(1);
  });

  it("not again by a run that the end of its process interrupts", async () => {
    const configId = await app.config();
    await insertRuns(configId, "failed", "failed", "failed");
    const replica = { connection: app.database.connection, orm: app.orm, clock, databaseClock };
    const { runWhileStopping } = await startReplica({
      ...replica,
      allowedOrigins: [app.simulator.url],
    });
    const runId = await insertRun(app, configId, { status: "queued", queued_at: clock.now() });

    await runWhileStopping(runId);

    expect((await end(runId)).status).toBe("interrupted");
    expect(await countOf("sync.failing")).toBe(0);
  });

  it("when the schedule is paused, once until it goes on", async () => {
    const configId = await app.config({ name: "生产账号", syncIntervalMinutes: 60 });
    refuse();
    const replica = { connection: app.database.connection, orm: app.orm, clock, databaseClock };
    const { tick } = await startReplica({ ...replica, allowedOrigins: [app.simulator.url] });
    const scheduled = async () => {
      clock.forward(10 * HOUR);
      await tick();
      const { data } = await assertOk(app.root.get(`/api/hosts/sync-runs?configId=${configId}`));
      await end(data.runs[0].id);
    };
    for (let run = 0; run < 4; run++) await scheduled();
    expect(await countOf("sync.paused")).toBe(0);

    await scheduled();
    const [notice] = await noticesOf(app.root, "sync.paused");
    await sync(configId);
    await assertOk(app.root.put(`/api/hosts/configs/${configId}`, { publicKey: "another" }));
    await scheduled();

    expect(notice).toMatchObject({
      severity: "critical",
      title: "配置“生产账号”的自动同步已暂停",
      message: expect.stringContaining("连续 5 次定时同步被拒绝"),
      link: `/configs?config=${configId}`,
    });
    expect(await countOf("sync.paused")).toBe(1);
  });
});

describe("super admins are told of held hosts", () => {
  it("when a configuration begins to hold some, once until it holds none", async () => {
    const configId = await app.config({ name: "生产账号" });
    await sync(configId);
    const { removeHosts, restoreHosts } = app.simulator.control;
    const removed = removeHosts({ region: "hk" });

    await sync(configId);
    const [notice] = await noticesOf(app.root, "removals.held");
    removeHosts({ region: "cn-bj2" });
    await sync(configId);

    const rows = await app.database.query("select id from hosts where ucloud_id = any($1)", [
      removed,
    ]);
    expect(notice).toMatchObject({
      severity: "warning",
      title: `${removed.length} 台主机等待确认是否消失`,
      link: `/hosts/held?configId=${configId}`,
    });
    expect(notice === undefined ? [] : hostIdsOf(notice)).toEqual(
      rows.map(({ id }) => String(id)).toSorted(),
    );
    expect(await countOf("removals.held")).toBe(1);

    restoreHosts();
    await sync(configId);
    removeHosts({ region: "hk" });
    await sync(configId);
    expect(await countOf("removals.held")).toBe(2);
  });
});

describe("super admins are told of a low balance", () => {
  it("once until it is above the alert again", async () => {
    const configId = await app.config({ name: "生产账号", balanceAlert: 100 });
    setBalance(99.5);

    await sync(configId);
    const [notice] = await noticesOf(app.root, "balance.low");
    await sync(configId);

    expect(notice).toMatchObject({
      severity: "warning",
      title: "配置“生产账号”的余额不足",
      message: "可用余额 99.5 元，低于预警的 100 元，请及时充值。",
      link: `/configs?config=${configId}`,
    });
    expect(await countOf("balance.low")).toBe(1);

    clock.forward(60);
    app.simulator.control.reset();
    await sync(configId);
    clock.forward(60);
    setBalance(-3);
    await sync(configId);
    expect(await countOf("balance.low")).toBe(2);
  });

  it("when the alert is raised above it, and not by another change", async () => {
    const configId = await app.config({ balanceAlert: 10 });
    setBalance(50);
    await sync(configId);
    const change = (changes: object) =>
      assertOk(app.root.put(`/api/hosts/configs/${configId}`, changes));

    await change({ balanceAlert: 50 });
    expect(await countOf("balance.low")).toBe(0);
    await change({ balanceAlert: 50.01 });
    await change({ name: "改名", balanceAlert: 60 });

    expect(await countOf("balance.low")).toBe(1);
  });
});
