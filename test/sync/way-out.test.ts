import { beforeEach, describe, expect, it } from "vitest";
import type { Host } from "../../src/shared/hosts.ts";
import { type TestApp, useApp } from "../harness/app.ts";
import { EMPTY_ANSWER, setField } from "../harness/faults.ts";
import { stillClock } from "../properties/still-clock.ts";

/** Hosts that really are gone, but more of them than a run dares to believe. */
const clock = stillClock();
const overrides = { clock };
const config = { session: { ttl: 1_000_000_000, idle: 1_000_000_000 } };

beforeEach(() => clock.rewind());

describe("ten of twenty hosts were deleted", () => {
  const app = useApp({ simulator: { hosts: 20, projects: 1, regions: ["cn-bj2"] }, overrides, config });

  it("what the run says to do works: batches of so many, then another run", async () => {
    await app.config();
    await sync(app);
    const removed = app.simulator.control.removeHosts({ count: 10 });
    for (const _ of [1, 2]) {
      const run = await sync(app);
      expect(run).toMatchObject({ status: "partial", gone: 0, errors: [{ code: "hosts-missing-guard" }] });
      expect(run.errors[0].message).toMatch(/10 台主机（共 20 台）.*勾选这些主机分批“同步”（每批已删除的不超过 6 台）/);
    }
    const hosts = await listed(app);
    const together = await batch(app, hosts);
    const refused = together.filter(({ ok }) => !ok);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.message).toMatch(/10 台.*20 台.*每批已删除的不超过 6 台/);
    const deleted = hosts.filter(({ ucloudId }) => removed.includes(ucloudId));
    expect((await batch(app, deleted.slice(0, 6))).every(({ ok }) => ok)).toBe(true);
    expect(await sync(app)).toMatchObject({ status: "succeeded", gone: 4, errors: [] });
    expect((await listed(app)).length).toBe(10);
  });

  it("those that are gone already are no part of what is too many", async () => {
    await app.config();
    await sync(app);
    const removed = app.simulator.control.removeHosts({ count: 12 });
    const hosts = await listed(app);
    const deleted = hosts.filter(({ ucloudId }) => removed.includes(ucloudId));
    expect((await batch(app, deleted.slice(0, 6))).every(({ ok }) => ok)).toBe(true);
    const again = await batch(app, deleted.slice(0, 6));
    expect(again).toEqual(
      deleted.slice(0, 6).map(({ id }) => ({ hostId: id, ok: true, message: "主机在云服务商处已不存在" })),
    );
    // Six of fourteen are too many; four are not, whoever else is asked for.
    const [refused, known] = [deleted.slice(6, 12), deleted.slice(0, 6)];
    const mixed = await batch(app, [...refused, ...known]);
    expect(mixed.map(({ ok }) => ok)).toEqual([...refused.map(() => false), ...known.map(() => true)]);
    expect((await batch(app, [...deleted.slice(6, 10), ...known])).every(({ ok }) => ok)).toBe(true);
  });
});

describe("a host that a run is missing", () => {
  const regions = ["cn-bj2", "hk"];
  const app = useApp({ simulator: { hosts: 20, projects: 1, regions }, overrides, config });

  it("and that is found meanwhile by who asks for it alone stays, though nothing of it is new", async () => {
    await app.config();
    await sync(app);
    const { control } = app.simulator;
    const [near, far] = regions.map((region) => String(control.hosts({ region })[0]?.id));
    const host = (await listed(app)).find(({ ucloudId }) => ucloudId === near);
    control.removeHosts({ ids: [String(near), String(far)] });
    control.hold({ byId: true, region: "hk" });
    const { data } = await app.root.post("/api/hosts/sync?wait=0");
    await control.waitForHeld();
    control.restoreHosts({ ids: [String(near)] });
    clock.forward(5);
    const asked = await app.root.post(`/api/hosts/${host?.id}/sync`);
    expect(asked.data).toMatchObject({ goneAt: null, syncedAt: clock.now() });
    control.release();
    const run = `/api/hosts/sync-runs/${data.runs[0].id}`;
    await expect.poll(async () => (await app.root.get(run)).data.status).toBe("succeeded");
    expect((await app.root.get(run)).data.gone).toBe(1);
    expect((await app.root.get(`/api/hosts/${host?.id}`)).data.goneAt).toBeNull();
  });
});

describe("four hundred of a thousand hosts were deleted", () => {
  const app = useApp({ simulator: { hosts: 1_000, projects: 2, regions: ["cn-bj2", "hk"] }, overrides, config });

  it("choosing page by page whatever is listed finds them", async () => {
    await app.config();
    await sync(app);
    const removed = app.simulator.control
      .hosts()
      .filter((_, i) => i % 5 < 2)
      .map(({ id }) => id);
    app.simulator.control.removeHosts({ ids: removed });
    const run = await sync(app);
    expect(run).toMatchObject({ status: "partial", gone: 0, errors: [{ code: "hosts-missing-guard" }] });
    expect(run.errors[0].message).toMatch(/400 台主机（共 1000 台）.*不超过 100 台/);
    const hosts = await listed(app);
    for (let from = 0; from < 400; from += 100) {
      expect((await batch(app, hosts.slice(from, from + 100))).every(({ ok }) => ok)).toBe(true);
    }
    expect(await sync(app)).toMatchObject({ status: "succeeded", errors: [] });
    expect((await listed(app)).length).toBe(600);
  });
});

describe("a region answers with nothing now and then", () => {
  const app = useApp({ simulator: { hosts: 20, projects: 1, regions: ["cn-bj2"] }, overrides, config });
  const isDoubted = { ok: false, code: "PROVIDER_ERROR", message: expect.stringContaining("10 分钟后再次同步确认") };

  async function askInVain(hosts: readonly Host[]) {
    const [fault] = app.simulator.control.addFaults({ region: "cn-bj2", fault: EMPTY_ANSWER });
    const results = await batch(app, hosts);
    app.simulator.control.removeFault(fault ?? "");
    return results;
  }

  it("its hosts stay, for each time that they are found begins the ten minutes anew", async () => {
    await app.config();
    await sync(app);
    const hosts = (await listed(app)).slice(0, 3);
    expect(await askInVain(hosts)).toMatchObject([isDoubted, isDoubted, isDoubted]);
    clock.forward(700);
    expect((await batch(app, hosts)).every(({ ok }) => ok)).toBe(true);
    expect(await askInVain(hosts)).toMatchObject([isDoubted, isDoubted, isDoubted]);
    expect(await gone(app)).toBe(0);
  });

  it("its hosts stay, for each time that others are listed there does so as well", async () => {
    await app.config();
    await sync(app);
    const [deleted, asked] = await listed(app);
    if (deleted === undefined || asked === undefined) throw new Error("no hosts");
    expect(await askInVain([asked])).toMatchObject([isDoubted]);
    clock.forward(650);
    app.simulator.control.removeHosts({ ids: [deleted.ucloudId] });
    expect(await batch(app, [deleted])).toMatchObject([{ ok: true }]);
    clock.forward(50);
    expect(await askInVain([asked])).toMatchObject([isDoubted]);
    expect(await gone(app)).toBe(1);
  });

  it("a list without a host proves nothing where one is found by its id", async () => {
    await app.config();
    await sync(app);
    const [removed] = app.simulator.control.removeHosts({ count: 1 });
    const hosts = (await listed(app)).toSorted(({ ucloudId }) => (ucloudId === removed ? -1 : 0)).slice(0, 2);
    app.simulator.control.addFaults({
      action: "DescribeUHostInstance",
      byId: false,
      fault: EMPTY_ANSWER,
    });
    for (const seconds of [0, 700]) {
      clock.forward(seconds);
      expect(await batch(app, hosts)).toMatchObject([{ ok: false, code: "PROVIDER_ERROR" }, { ok: true }]);
    }
    expect(await gone(app)).toBe(0);
  });
});

describe("a project was deleted", () => {
  const app = useApp({ simulator: { hosts: 60, projects: 3, regions: ["cn-bj2", "hk"] }, overrides, config });

  it("its hosts are gone when they are asked for again after ten minutes, and not because a list leaves it out", async () => {
    await app.config();
    await sync(app);
    const projects = app.simulator.control.projects();
    const [left, other, lost] = projects;
    const ids = app.simulator.control.hosts({ projectId: lost?.id }).map(({ id }) => id);
    const value = [left, other].map((project) => ({ ProjectId: project?.id ?? "" }));
    app.simulator.control.addFaults(
      { action: "GetProjectList", fault: setField("ProjectSet", value) },
      { action: "GetProjectList", fault: setField("ProjectCount", value.length) },
    );
    const run = await sync(app);
    expect(run).toMatchObject({ status: "partial", gone: 0 });
    expect(run.errors[0]).toMatchObject({ projectId: lost?.id, code: "place-missing" });
    expect(run.errors[0].message).toMatch(/若项目确已删除，请.*“同步”，10 分钟后再“同步”一次/);
    const hosts = (await listed(app)).filter(({ ucloudId }) => ids.includes(ucloudId));
    expect(hosts.length).toBeLessThan(18);
    // The project is still there when it is asked for by its id.
    expect((await batch(app, hosts)).every(({ ok }) => ok)).toBe(true);
    expect(await gone(app)).toBe(0);

    app.simulator.control.addFaults({ projectId: lost?.id, fault: { kind: "retCode", retCode: 292 } });
    for (const seconds of [0, 590]) {
      clock.forward(seconds);
      const doubted = await batch(app, hosts);
      expect(doubted.every(({ ok, code }) => !ok && code === "PROVIDER_ERROR")).toBe(true);
      expect(doubted[0]?.message).toMatch(/项目已不存在.*10 分钟后再次同步确认/);
    }
    clock.forward(10);
    expect((await batch(app, hosts)).every(({ ok }) => ok)).toBe(true);
    expect(await gone(app)).toBe(hosts.length);
    expect(await sync(app)).toMatchObject({ status: "succeeded", errors: [] });
  });

  it.each([
    ["still names it", 3, 3],
    ["names none at all", 0, 0],
  ])(
    "while the list of projects %s its hosts stay, however often they are asked for",
    async (_what, named, counted) => {
      await app.config();
      await sync(app);
      const projects = app.simulator.control.projects();
      const lost = projects.at(-1);
      const ids = app.simulator.control.hosts({ projectId: lost?.id }).map(({ id }) => id);
      const hosts = (await listed(app)).filter(({ ucloudId }) => ids.includes(ucloudId));
      const value = projects.slice(0, named).map(({ id }) => ({ ProjectId: id }));
      app.simulator.control.addFaults(
        { action: "GetProjectList", fault: setField("ProjectSet", value) },
        { action: "GetProjectList", fault: setField("ProjectCount", counted) },
        { projectId: lost?.id, fault: { kind: "retCode", retCode: 292 } },
      );
      for (const _ of [1, 2]) {
        expect((await batch(app, hosts)).some(({ ok }) => ok)).toBe(false);
        clock.forward(700);
      }
      expect(await gone(app)).toBe(0);
    },
  );
});

describe("a region was taken away", () => {
  const app = useApp({ simulator: { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] }, overrides, config });

  /** Hosts of the region that is listed no more, and what the run says of them. */
  async function unlist(): Promise<{ hosts: Host[]; message: string }> {
    await app.config();
    await sync(app);
    const value = [{ Region: "cn-bj2", Zone: "cn-bj2-02" }];
    app.simulator.control.addFaults({ action: "GetRegion", fault: setField("Regions", value) });
    const run = await sync(app);
    expect(run).toMatchObject({ status: "partial", gone: 0, errors: [{ region: "hk", code: "place-missing" }] });
    const hosts = (await listed(app)).filter(({ region }) => region === "hk");
    return { hosts, message: run.errors[0].message };
  }

  it("its hosts are gone when they are asked for again after ten minutes and are not there, as the run says", async () => {
    const { hosts, message } = await unlist();
    expect(message).toMatch(/未列出该地域.*勾选这些主机“同步”，10 分钟后再“同步”一次/);
    expect(message).toContain(`此前的 ${hosts.length} 台主机`);
    app.simulator.control.addFaults({ region: "hk", fault: EMPTY_ANSWER });
    for (const [seconds, isGone] of [
      [0, false],
      [590, false],
      [10, true],
    ] as const) {
      clock.forward(seconds);
      const results = await batch(app, hosts.slice(0, 10));
      expect(results.every(({ ok }) => ok === isGone)).toBe(true);
    }
    expect(await gone(app)).toBe(10);
  });

  it("and refuses to answer: its hosts stay, until another configuration takes the place of theirs, as the run says", async () => {
    const { hosts, message } = await unlist();
    expect(message).toMatch(/提示地域未开通.*新建配置、删除本配置/);
    app.simulator.control.addFaults({ region: "hk", fault: { kind: "retCode", retCode: 230 } });
    for (const _ of [1, 2]) {
      const [refused] = await batch(app, hosts.slice(0, 10));
      expect(refused).toMatchObject({ ok: false, message: expect.stringContaining("未开通") });
      clock.forward(700);
    }
    const { data: configs } = await app.root.get("/api/hosts/configs/list");
    const renewed = await app.config();
    await app.root.put(`/api/hosts/configs/${renewed}`, { isDefault: true });
    await app.root.delete(`/api/hosts/configs/${configs[0].id}`);
    expect(await sync(app)).toMatchObject({ status: "succeeded", errors: [] });
    expect(await gone(app)).toBe(hosts.length);
    expect((await listed(app)).length).toBe(60 - hosts.length);
  });
});

async function sync(app: TestApp) {
  const [run] = (await app.root.post("/api/hosts/sync?wait=25")).data.runs;
  return run;
}

async function listed(app: TestApp): Promise<Host[]> {
  const hosts: Host[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await app.root.get(`/api/hosts?limit=100&page=${page}`);
    hosts.push(...data.hosts);
    if (page >= data.pagination.totalPages) return hosts;
  }
}

async function batch(
  app: TestApp,
  hosts: readonly Host[],
): Promise<{ ok: boolean; code?: string; message?: string }[]> {
  const hostIds = hosts.map(({ id }) => id);
  return (await app.root.post("/api/hosts/batch", { operation: "sync", hostIds })).data.results;
}

async function gone(app: TestApp): Promise<number> {
  return (await app.root.get("/api/hosts?gone=true")).data.pagination.total;
}
