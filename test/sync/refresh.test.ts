import { beforeEach, describe, expect, it } from "vitest";
import { failureOf, MISSING } from "../harness/data.ts";
import { EMPTY_ANSWER, wrongTotal } from "../harness/provider-faults.ts";
import { assertOk } from "../harness/rest.ts";
import { LISTING, LOOKUP, useSync } from "./sync-fixture.ts";

const { app, clock, sync, start, run, end, present, gone, held } = useSync();
let configId: string;
/** The provider's ids of the hosts in cn-bj2, and the first of them. */
let hosts: string[];
let ucloudId: string;

beforeEach(async () => {
  // The first one, the default, cannot be deleted.
  [, configId] = [await app.config(), await app.config()];
  await sync(configId);
  hosts = app.simulator.control.hosts({ region: "cn-bj2" }).map(({ id }) => id);
  [ucloudId = ""] = hosts;
});

async function syncTogether(hostIds: readonly string[]) {
  return (await app.root.post("/api/hosts/batch", { operation: "sync", hostIds })).data.results;
}

async function hostIdsOf(ucloudIds: readonly string[]): Promise<string[]> {
  const rows = await app.database.query(
    "select h.id from unnest($1::text[]) with ordinality as u (id, n) join hosts h on h.ucloud_id = u.id order by u.n",
    [ucloudIds],
  );
  return rows.map(({ id }) => String(id));
}

/** The outcome for each host: `present`, `gone`, or the message of a failure. */
async function refresh(ucloudIds: readonly string[]): Promise<string[]> {
  const results = await syncTogether(await hostIdsOf(ucloudIds));
  return results.map(({ ok, message = "present" }: { ok: boolean; message?: string }) =>
    ok && message.includes("不存在") ? "gone" : message,
  );
}

async function refreshOne(ucloudId: string) {
  const [id] = await hostIdsOf([ucloudId]);
  return await app.root.post(`/api/hosts/${id}/sync`);
}

async function statusOf(ucloudId: string): Promise<unknown> {
  const [row] = await app.database.query("select status from hosts where ucloud_id = $1", [
    ucloudId,
  ]);
  return row?.status;
}

describe("a host that is synced alone", () => {
  it("is read by its id and answered in its present state", async () => {
    app.simulator.control.updateHosts({ ids: [ucloudId] }, { State: "Stopped", Name: "新名字" });
    app.simulator.control.resetCalls();

    const { status, data } = await refreshOne(ucloudId);

    expect([status, data]).toMatchObject([
      200,
      { ucloudId, status: "Stopped", name: "新名字", goneAt: null },
    ]);
    expect(app.simulator.control.calls().last.map(({ ids }) => ids)).toEqual([[ucloudId]]);
  });

  it("is found in the list when the lookup by id does not find it", async () => {
    app.simulator.control.updateHosts({ ids: [ucloudId] }, { Name: "还在" });
    app.simulator.control.addFaults({ ...LOOKUP, fault: EMPTY_ANSWER });

    expect(await refreshOne(ucloudId)).toMatchObject({
      status: 200,
      data: { name: "还在", goneAt: null },
    });
  });

  const failing = (retCode: number) => () =>
    app.simulator.control.addFaults({
      ...LOOKUP,
      fault: { kind: "retCode", retCode, message: "marker" },
    });
  const unreadable = () =>
    app.simulator.control.updateHosts({ ids: [ucloudId] }, { CPU: "many", Name: "x" });
  const partlyListed = () => {
    app.simulator.control.removeHosts({ ids: [ucloudId] });
    app.simulator.control.addFaults({ ...LISTING, fault: wrongTotal(1) });
  };

  it.each<[why: string, prepare: () => unknown, message: string, failure?: [number, string]]>([
    ["the provider takes too long", failing(8857), "超时", [504, "PROVIDER_TIMEOUT"]],
    ["the provider refuses the call", failing(299), "授权"],
    ["its partition cannot be read completely", partlyListed, "未能完整读取"],
    ["its record cannot be read", unreadable, "无法识别"],
  ])(
    "stays as it was when %s",
    async (_why, prepare, message, [status, code] = [502, "PROVIDER_ERROR"]) => {
      const [id] = await hostIdsOf([ucloudId]);
      const before = (await app.root.get(`/api/hosts/${id}`)).data;
      prepare();

      const { status: answered, body } = await refreshOne(ucloudId);

      expect([answered, body]).toMatchObject([
        status,
        { code, message: expect.stringContaining(message) },
      ]);
      expect(JSON.stringify(body)).not.toContain("marker");
      expect((await app.root.get(`/api/hosts/${id}`)).data).toEqual(before);
    },
  );

  it("is not said to be gone when it was marked before and the provider fails now", async () => {
    app.simulator.control.removeHosts({ ids: [ucloudId] });
    await sync(configId);
    failing(8857)();

    const answer = await refreshOne(ucloudId);

    expect(failureOf(answer)).toEqual([504, "PROVIDER_TIMEOUT"]);
  });

  it("is neither written nor published when it has not changed", async () => {
    const rows = () =>
      app.database.query("select id, xmin::text, ctid::text, changed_at from hosts order by id");
    const before = await rows();
    await app.database.query("delete from events");
    clock.forward(137);

    for (let times = 0; times < 2; times++) expect((await refreshOne(ucloudId)).status).toBe(200);

    expect(await rows()).toEqual(before);
    expect(await app.database.query("select type from events")).toEqual([]);
  });

  it("stays gone when the answer that finds it was requested before it was marked", async () => {
    const { control } = app.simulator;
    control.hold({ ...LOOKUP, times: 1 });
    const refreshing = refreshOne(ucloudId);
    await control.waitForHeld();
    control.removeHosts({ ids: [ucloudId] });
    clock.forward(15);
    expect(await sync(configId)).toMatchObject({ gone: 1 });
    control.restoreHosts();

    control.release();
    await refreshing;

    expect(await gone()).toEqual([ucloudId]);
    expect((await refreshOne(ucloudId)).data.goneAt).toBeNull();
  });

  it("stays released when its project is unnamed while the provider is asked", async () => {
    const { control } = app.simulator;
    control.hold(LOOKUP);
    const refreshing = refreshOne(ucloudId);
    await control.waitForHeld();
    await assertOk(app.root.put(`/api/hosts/configs/${configId}`, { projectIds: ["org-other"] }));

    control.release();

    expect(failureOf(await refreshing)).toEqual([409, "STATE_CONFLICT"]);
    expect(await gone()).toContain(ucloudId);
    const owned = "select 1 from hosts where config_id = $1 and project_id <> ''";
    expect(await app.database.query(owned, [configId])).toEqual([]);
  });

  it("stays as it was when its configuration is switched off meanwhile", async () => {
    const { control } = app.simulator;
    control.hold(LOOKUP);
    const refreshing = refreshOne(ucloudId);
    await control.waitForHeld();
    await assertOk(app.root.put(`/api/hosts/configs/${configId}`, { isActive: false }));
    control.updateHosts({ ids: [ucloudId] }, { State: "Stopped" });
    const before = await statusOf(ucloudId);

    control.release();

    const { status, data } = await refreshing;
    expect([status, data]).toMatchObject([409, { message: expect.stringContaining("已停用") }]);
    expect(await statusOf(ucloudId)).toBe(before);
    expect(before).not.toBe("Stopped");
  });

  it("is refused without an active configuration, when unknown, with a malformed id", async () => {
    await app.database.query("update configs set is_active = false");
    expect(failureOf(await refreshOne(ucloudId))).toEqual([409, "STATE_CONFLICT"]);
    await app.database.query("update hosts set config_id = null");
    expect(failureOf(await refreshOne(ucloudId))).toEqual([409, "STATE_CONFLICT"]);
    expect((await app.root.post(`/api/hosts/${MISSING}/sync`)).status).toBe(404);
    expect((await app.root.post("/api/hosts/odd/sync")).status).toBe(400);
  });
});

describe("hosts that are synced together", () => {
  it("are answered each on its own, with one call per partition and step", async () => {
    const { control } = app.simulator;
    const [away = "", stopped = "", ...others] = hosts.slice(0, 5);
    control.removeHosts({ ids: [away] });
    control.updateHosts({ ids: [stopped] }, { State: "Stopped" });
    control.resetCalls();
    const ids = [...(await hostIdsOf([away, stopped, ...others])), MISSING];
    const results = await syncTogether(ids);
    expect(results).toEqual([
      { hostId: ids[0], ok: true, message: expect.stringContaining("不存在") },
      ...ids.slice(1, -1).map((hostId) => ({ hostId, ok: true })),
      { hostId: MISSING, ok: false, code: "NOT_FOUND", message: "主机不存在或已无权查看" },
    ]);
    expect([await gone(), await statusOf(stopped)]).toEqual([[away], "Stopped"]);
    // By id, the whole partition, by id again.
    expect(control.calls().total).toBe(3);
    control.restoreHosts();
    expect((await refreshOne(away)).data).toMatchObject({ goneAt: null, configId });
  });

  it("stay when the list leaves out a host that the second lookup finds", async () => {
    const { control } = app.simulator;
    const [back = "", away = ""] = control.removeHosts({ region: "cn-bj2", count: 2 });
    control.hold(LOOKUP);
    control.resetCalls();
    const refreshing = refresh([back, away]);
    await control.waitForHeld();
    control.release(1);
    await expect.poll(() => control.calls().last.map(({ ids }) => ids.length)).toEqual([2, 0, 2]);
    control.restoreHosts({ ids: [back] });
    control.release();
    expect(await refreshing).toEqual(["present", expect.stringContaining("未能完整")]);
    expect(await gone()).toEqual([]);
  });

  it("stay when the list leaves out a host that the first lookup found", async () => {
    const { control } = app.simulator;
    const [left = "", away = ""] = hosts;
    control.removeHosts({ ids: [away] });
    control.hold(LISTING);
    const refreshing = refresh([left, away]);
    await control.waitForHeld();
    control.removeHosts({ ids: [left] });
    control.release();

    expect(await refreshing).toEqual(["present", expect.stringContaining("未能完整")]);
    expect(await gone()).toEqual([]);
  });

  it("fail when their configuration is deleted meanwhile", async () => {
    const { control } = app.simulator;
    control.hold(LOOKUP);
    const refreshing = refreshOne(ucloudId);
    await control.waitForHeld();
    expect((await app.root.delete(`/api/hosts/configs/${configId}`)).status).toBe(200);
    control.release();
    expect(failureOf(await refreshing)).toEqual([409, "STATE_CONFLICT"]);
    expect(await present()).toEqual([]);
  });

  it("are held as a mass removal together, and gone where they are too few for one", async () => {
    const removed = app.simulator.control.removeHosts({ count: 36 });
    const first = removed.slice(0, 18);
    const second = removed.slice(18);

    expect(await refresh(first)).toEqual(first.map(() => "gone"));

    const isHeld = expect.stringMatching(/有 18 台主机（共 60 台）未再出现.*另有 18 台.*30%/);
    expect(await refresh(second)).toEqual(second.map(() => isHeld));
    expect(await held()).toEqual(second.toSorted());
  });

  it("stay held in the smallest batch when a mass removal holds them", async () => {
    const removed = app.simulator.control.removeHosts({ count: 36 });
    await sync(configId);
    const [first = ""] = removed;

    const answers = [await refresh([first]), await refresh(removed.slice(0, 5))].flat();

    const isHeld = expect.stringMatching(/单独同步不会把它标记为已消失.*“待确认消失”中确认/);
    expect(answers).toEqual(Array(6).fill(isHeld));
    expect([await gone(), await held()]).toEqual([[], removed.toSorted()]);
  });

  it("are not held any more when they are found, whatever held them", async () => {
    const { control } = app.simulator;
    const [back = "", ...others] = control.removeHosts({ count: 36 });
    await sync(configId);
    control.restoreHosts({ ids: [back] });

    expect(await refresh([back])).toEqual(["present"]);

    expect(await held()).toEqual(others.toSorted());
  });

  it("stay held when a run holds them while the provider is asked", async () => {
    const { control } = app.simulator;
    const removed = control.removeHosts({ count: 36 });
    control.hold({ ...LOOKUP, times: 1 });
    const refreshing = refresh(removed.slice(0, 3));
    await control.waitForHeld();
    await sync(configId);

    control.release();

    const isLeft = expect.stringContaining("查询期间另一次同步已更新这台主机");
    expect(await refreshing).toEqual([isLeft, isLeft, isLeft]);
    expect([await gone(), await held()]).toEqual([[], removed.toSorted()]);
  });

  it("are gone when their partition lists no host and still does not a day later", async () => {
    const removed = app.simulator.control.removeHosts({ region: "hk" }).slice(0, 2);
    for (const seconds of [0, 600, 85_700]) {
      clock.forward(seconds);
      const isHeld = expect.stringMatching(/空列表.*24 小时/);
      expect(await refresh(removed)).toEqual([isHeld, isHeld]);
    }
    clock.forward(137);

    expect(await refresh(removed)).toEqual(["gone", "gone"]);
  });

  it("that a person chose to keep are gone from an empty partition a day later", async () => {
    const removed = app.simulator.control.removeHosts({ region: "hk" }).slice(0, 2);
    await refresh(removed);
    await app.root.post("/api/hosts/held-removals/dismiss", { hostIds: await hostIdsOf(removed) });
    clock.forward(86_411);

    expect(await refresh(removed)).toEqual(["gone", "gone"]);
  });

  it("are held in a closed region however long it lasts", async () => {
    app.simulator.control.setRegionOpen("cn-bj2", false);
    for (const seconds of [0, 90_137]) {
      clock.forward(seconds);
      const isHeld = expect.stringMatching(/未开通或项目已不存在.*核实/);
      expect(await refresh(hosts.slice(0, 2))).toEqual([isHeld, isHeld]);
    }

    expect(await held()).toEqual(hosts.slice(0, 2).toSorted());
  });
});

describe("a refresh during a run", () => {
  it("that is slow does not keep out what the run found later", async () => {
    const { control } = app.simulator;
    const [host = ""] = hosts;
    const [away = ""] = control.removeHosts({ region: "hk", count: 1 });
    control.hold({ ...LISTING, region: "hk", times: 1 });
    const refreshing = refresh([host, away]);
    await control.waitForHeld();
    control.updateHosts({ ids: [host] }, { State: "Rebooting" });
    clock.forward(5);
    control.addFaults({
      ...LISTING,
      region: "cn-bj2",
      fault: { kind: "slowDrip", everyMs: 250, bytes: 5_000 },
    });
    const id = await start(configId);
    const isListed = () => control.calls().last.some(({ faults }) => faults.includes("slowDrip"));
    await expect.poll(isListed).toBe(true);
    clock.forward(5);
    control.release();
    expect(await refreshing).toEqual(["present", "gone"]);
    expect((await run(id)).status).toBe("running");
    expect(await end(id)).toMatchObject({ status: "succeeded", updated: 1 });
    expect(await statusOf(host)).toBe("Rebooting");
  });

  it("that finds a host keeps the run from marking it gone", async () => {
    const { control } = app.simulator;
    for (const region of ["cn-bj2", "hk"]) control.removeHosts({ region, count: 1 });
    const lookups = () => control.calls().last.filter(({ ids }) => ids.length > 0);
    control.hold(LOOKUP);
    const id = await start(configId);
    await control.waitForHeld();
    const [{ region: first, ids: [back = ""] = [] } = {}] = lookups();
    control.release();
    control.hold({ ...LOOKUP, region: first === "hk" ? "cn-bj2" : "hk" });
    await expect.poll(() => lookups().length).toBe(2);
    control.restoreHosts({ ids: [back] });
    clock.forward(1);
    await app.database.query("delete from events where type = 'hosts.changed'");
    expect(await refresh([back])).toEqual(["present"]);
    expect(await app.database.query("select 1 from events where type = 'hosts.changed'")).toEqual(
      [],
    );
    control.release();
    expect(await end(id)).toMatchObject({ gone: 1 });
    expect((await refreshOne(back)).data.goneAt).toBeNull();
  });
});
