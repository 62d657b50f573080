import { beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { failureOf, insertHost, insertHosts, MISSING } from "../harness/data.ts";
import { setField } from "../harness/provider-faults.ts";

const app = useApp({ simulator: { hosts: 60, regions: 2, projects: 1 } });
const HELD = "/api/hosts/held-removals";
const NOT_HELD = "该主机不在待确认之列，可能已处理或已重新出现";
const UNREADABLE = "云服务商返回的数据无法识别，请检查 API 地址是否正确，或稍后重试";
const NOT_FOUND = "主机不存在或已无权查看";
let configId: string;
/** The region with fewer hosts: an emptied one is no mass removal. */
let region: string;
let larger: string;

beforeEach(async () => {
  configId = await app.config();
  await sync();
  const sizes = app.simulator.control
    .regions()
    .map((code) => ({ code, size: hostsOf(code).length }));
  [region = "", larger = ""] = sizes.toSorted((a, b) => a.size - b.size).map(({ code }) => code);
});

async function sync() {
  return (await app.root.post(`/api/hosts/sync?configId=${configId}&wait=25`)).data.runs[0];
}

function hostsOf(code: string): string[] {
  return app.simulator.control.hosts({ region: code }).map(({ id }) => id);
}

function closeRegion(): string[] {
  const hosts = hostsOf(region);
  app.simulator.control.setRegionOpen(region, false);
  return hosts;
}

async function held(query = "") {
  return (await app.root.get(`${HELD}?limit=100${query}`)).data.hosts;
}

async function heldIds(query = ""): Promise<string[]> {
  return (await held(query))
    .map(({ host }: { host: { ucloudId: string } }) => host.ucloudId)
    .toSorted();
}

async function idOf(ucloudId: string): Promise<string> {
  const [row] = await app.database.query("select id from hosts where ucloud_id = $1", [ucloudId]);
  return String(row?.id);
}

async function goneAtOf(ucloudId: string): Promise<number | null> {
  return (await app.root.get(`/api/hosts/${await idOf(ucloudId)}`)).data.goneAt;
}

async function confirm(body: object) {
  return (await app.root.post(`${HELD}/confirm`, body)).data;
}

async function dismiss(body: object) {
  return (await app.root.post(`${HELD}/dismiss`, body)).data;
}

/** Hosts of the smaller region, held because it lists none. */
async function holdRegion(): Promise<string[]> {
  const removed = app.simulator.control.removeHosts({ region });
  await sync();
  return removed.toSorted();
}

describe("the list of held removals", () => {
  it.each([
    ["mass-removal", () => app.simulator.control.removeHosts({ region: larger, count: 20 })],
    ["empty", () => app.simulator.control.removeHosts({ region })],
    ["unavailable", () => closeRegion()],
  ])("gives each host with its run and the reason %s", async (reason, vanish) => {
    const removed = vanish();

    const run = await sync();

    expect(run).toMatchObject({ status: "partial", gone: 0 });
    const [one] = await held(`&reason=${reason}`);
    expect(one).toMatchObject({
      configId,
      runId: run.id,
      reason,
      heldAt: expect.any(Number),
      host: { configId, goneAt: null },
    });
    expect(await heldIds(`&reason=${reason}`)).toEqual(removed.toSorted());
  });

  it.each([
    ["missing", () => app.simulator.control.removeHosts({ region })],
    ["in a closed region", () => closeRegion()],
  ])("has no host any more that was %s once it is seen again", async (_what, vanish) => {
    vanish();
    await sync();
    app.simulator.control.restoreHosts();
    app.simulator.control.setRegionOpen(region, true);

    await sync();

    expect(await held()).toEqual([]);
  });

  it("has as many hosts as the summary counts", async () => {
    const hosts = await holdRegion();

    const { data } = await app.root.get("/api/hosts/summary");

    expect(data.held).toBe(hosts.length);
  });

  it("is filtered by configuration, reason and text, and paged", async () => {
    const [first = ""] = await holdRegion();
    expect(await heldIds(`&configId=${configId}&reason=empty&search=${first}`)).toEqual([first]);
    expect(await heldIds("&reason=unavailable")).toEqual([]);
    expect(await heldIds(`&configId=${MISSING}`)).toEqual([]);
    const { data } = await app.root.get(`${HELD}?limit=1&page=2`);
    expect(data).toMatchObject({
      hosts: [{}],
      pagination: { page: 2, total: (await heldIds()).length },
    });
  });
});

describe("confirming held removals", () => {
  it("marks what the provider does not find by id as gone, and ends other holds", async () => {
    const [back = "", away = "", other = ""] = await holdRegion();
    app.simulator.control.restoreHosts({ ids: [back] });
    const hostIds = [await idOf(back), await idOf(away)];

    const { results } = await confirm({ hostIds });

    expect(results).toEqual([
      { hostId: hostIds[0], ok: true, message: expect.stringContaining("仍有") },
      { hostId: hostIds[1], ok: true },
    ]);
    expect([await goneAtOf(back), await goneAtOf(away)]).toEqual([null, expect.any(Number)]);
    const left = await heldIds();
    expect([back, away, other].map((id) => left.includes(id))).toEqual([false, false, true]);
  });

  it("keeps a hold of a host whose record cannot be read", async () => {
    const [unreadable = ""] = await holdRegion();
    app.simulator.control.restoreHosts({ ids: [unreadable] });
    app.simulator.control.updateHosts({ ids: [unreadable] }, { CPU: "many" });

    const { results } = await confirm({ hostIds: [await idOf(unreadable)] });

    expect(results).toMatchObject([{ ok: false, code: "PROVIDER_ERROR" }]);
    expect(await goneAtOf(unreadable)).toBeNull();
    expect(await heldIds()).toContain(unreadable);
  });

  it("refuses hosts that are not held or do not exist", async () => {
    const present = await insertHost(app, { config_id: configId });

    const { results } = await confirm({ hostIds: [present, MISSING] });

    expect(results).toEqual([
      { hostId: present, ok: false, code: "STATE_CONFLICT", message: NOT_HELD },
      { hostId: MISSING, ok: false, code: "NOT_FOUND", message: NOT_FOUND },
    ]);
  });

  it("does not take a failed call for an answer", async () => {
    const hosts = await holdRegion();
    app.simulator.control.addFaults({
      action: "DescribeUHostInstance",
      byId: true,
      fault: setField("TotalCount", 99),
    });

    const { results } = await confirm({ configId, all: true });

    const failed = { ok: false, code: "PROVIDER_ERROR", message: UNREADABLE };
    expect(results).toMatchObject(hosts.map(() => failed));
    expect(await heldIds()).toEqual(hosts);
  });

  it("takes a closed region for an answer, and has nothing to do again", async () => {
    const hosts = await holdRegion();
    app.simulator.control.setRegionOpen(region, false);

    const first = await confirm({ configId, all: true });
    const second = await confirm({ configId, all: true });

    expect(first.results).toMatchObject(hosts.map(() => ({ ok: true })));
    expect(second).toEqual({ results: [] });
    expect(await held()).toEqual([]);
    expect(await goneAtOf(hosts[0] ?? "")).toEqual(expect.any(Number));
  });

  it("takes more hosts of a region than one call to the provider may name", async () => {
    const ids = await insertHosts(app, Array(101).fill({ config_id: configId, region }));
    await app.database.query(
      "update hosts set missing_since = 1, held_reason = 'empty' where id = any($1)",
      [ids],
    );

    const { results } = await confirm({ configId, all: true });

    expect(results).toMatchObject(ids.map(() => ({ ok: true })));
  });

  it("does not find a configuration that does not exist", async () => {
    const answer = await app.root.post(`${HELD}/confirm`, { configId: MISSING, all: true });

    expect(failureOf(answer)).toEqual([404, "NOT_FOUND"]);
  });

  it("refuses the hosts of a configuration that is switched off", async () => {
    const [first = ""] = await holdRegion();
    await app.root.put(`/api/hosts/configs/${configId}`, { isActive: false });

    const { results } = await confirm({ hostIds: [await idOf(first)] });

    const message = "该主机的云账号已停用，请先在配置管理中启用再同步";
    expect(results).toMatchObject([{ ok: false, code: "STATE_CONFLICT", message }]);
  });
});

describe("dismissing held removals", () => {
  it("keeps the hosts present through further runs", async () => {
    const hosts = await holdRegion();
    const { results } = await dismiss({ configId, all: true });
    app.simulator.control.setRegionOpen(region, false);
    const whileClosed = await sync();
    app.simulator.control.setRegionOpen(region, true);
    const whileEmpty = await sync();

    expect(results).toEqual(hosts.map(() => ({ hostId: expect.any(String), ok: true })));
    const kept = { status: "partial", gone: 0 };
    expect(whileClosed).toMatchObject({ ...kept, errors: [{ code: "incomplete" }] });
    const message = expect.stringContaining(`${hosts.length} 台`);
    expect(whileEmpty).toMatchObject({ ...kept, errors: [{ message }] });
    expect(await held()).toEqual([]);
    expect(await goneAtOf(hosts[0] ?? "")).toBeNull();
  });

  it("ends when the hosts are seen: missing again, they are held again", async () => {
    await holdRegion();
    await dismiss({ configId, all: true });
    app.simulator.control.restoreHosts();
    expect(await sync()).toMatchObject({ status: "succeeded", errors: [] });

    const hosts = await holdRegion();

    expect(await heldIds()).toEqual(hosts);
  });

  it("refuses a host that is not held any more", async () => {
    const [first = ""] = await holdRegion();
    const hostId = await idOf(first);

    const once = await dismiss({ hostIds: [hostId] });
    const twice = await dismiss({ hostIds: [hostId] });

    expect(once.results).toEqual([{ hostId, ok: true }]);
    expect(twice.results).toEqual([
      { hostId, ok: false, code: "STATE_CONFLICT", message: NOT_HELD },
    ]);
  });

  it("does not keep a host that a person syncs by itself", async () => {
    app.simulator.control.removeHosts({ region: larger, count: 20 });
    await sync();
    const [{ host }] = await held();
    await dismiss({ hostIds: [host.id] });

    const { data } = await app.root.post(`/api/hosts/${host.id}/sync`);

    expect(data.goneAt).toEqual(expect.any(Number));
  });
});

describe("all held hosts of a large account", () => {
  const COUNT = 1_001;
  /** One more than are decided at a time. */
  const BEYOND = 5_001;

  /** Held hosts that the provider does not know, in its region. */
  async function insertHeldHosts(count: number): Promise<void> {
    const ids = await insertHosts(app, Array(count).fill({ config_id: configId, region }));
    await app.database.query(
      "update hosts set missing_since = 1, held_reason = 'empty' where id = any($1)",
      [ids],
    );
  }

  async function countHeld(): Promise<number> {
    return (await app.root.get(`${HELD}?limit=1`)).data.pagination.total;
  }

  it("are counted and not named when more than 1,000 are dismissed", async () => {
    await insertHeldHosts(COUNT);

    const answer = await dismiss({ configId, all: true });

    expect(answer).toEqual({ results: [], counts: { succeeded: COUNT, failed: 0 } });
    expect(await countHeld()).toBe(0);
  });

  it.each([
    ["dismissed", dismiss],
    ["confirmed", confirm],
  ])("are all %s when they are more than are decided at a time", async (_what, decide) => {
    await insertHeldHosts(BEYOND);

    const answer = await decide({ configId, all: true });

    expect(answer).toEqual({ results: [], counts: { succeeded: BEYOND, failed: 0 } });
    expect(await countHeld()).toBe(0);
  });

  it("are named up to 1,000, without counts", async () => {
    await insertHeldHosts(COUNT - 1);

    const answer = await dismiss({ configId, all: true });

    expect(answer).toEqual({
      results: Array(COUNT - 1).fill({ hostId: expect.any(String), ok: true }),
    });
  });

  it("are not tried any further when the provider answers for none of the first ones", async () => {
    const fault = { kind: "retCode", retCode: 987_654 } as const;
    app.simulator.control.addFaults({ action: "DescribeUHostInstance", byId: true, fault });
    await insertHeldHosts(COUNT + 5_000);
    app.simulator.control.resetCalls();

    const answer = await confirm({ configId, all: true });

    expect(answer).toEqual({ results: [], counts: { succeeded: 0, failed: COUNT + 5_000 } });
    expect(app.simulator.control.calls().total).toBe(1);
    expect(await countHeld()).toBe(COUNT + 5_000);
  });
});

it("every change of the held hosts is an event", async () => {
  const [first = "", second = "", third = ""] = await holdRegion();
  await dismiss({ hostIds: [await idOf(first)] });
  await confirm({ hostIds: [await idOf(second)] });
  app.simulator.control.restoreHosts({ ids: [third] });
  await app.root.post(`/api/hosts/${await idOf(third)}/sync`);
  app.simulator.control.restoreHosts();
  await sync();
  await holdRegion();
  // The default cannot be deleted.
  await app.root.put(`/api/hosts/configs/${await app.config()}`, { isDefault: true });
  await app.root.delete(`/api/hosts/configs/${configId}`);

  const events = await app.database.query(
    "select payload from events where type = 'removals.changed'",
  );

  expect(events).toEqual(Array(7).fill({ payload: { configId } }));
  expect(await held()).toEqual([]);
});
