import { describe, expect, test } from "vitest";
import type { Simulator } from "../../src/simulator/server.ts";
import { call, LIST, listAll, start } from "./client.ts";

describe("the simulator's control", () => {
  test("the same seed gives the same hosts, another seed other hosts", async () => {
    const [one, same, other] = await Promise.all([start({ seed: 7 }), start({ seed: 7 }), start({ seed: 8 })]);
    const list = async (simulator: Simulator) => (await call(simulator, LIST)).UHostSet;
    expect(await list(one)).toEqual(await list(same));
    expect(one.control.hosts()).toEqual(same.control.hosts());
    const ids = new Set(one.control.hosts().map((host) => host.id));
    expect(other.control.hosts().some((host) => ids.has(host.id))).toBe(false);
  });

  test("hosts are removed, restored in their order, added and changed", async () => {
    const simulator = await start();
    const { control } = simulator;
    const before = control.hosts();
    const removed = control.removeHosts({ region: "cn-bj2", count: 5 });
    expect(removed).toHaveLength(5);
    expect(control.removeHosts({ ids: removed })).toEqual([]);
    expect(await listAll(simulator)).toEqual(before.map((host) => host.id).filter((id) => !removed.includes(id)));
    const byId = await call(simulator, { ...LIST, "UHostIds.0": removed[0] ?? "" });
    expect(byId).toMatchObject({ TotalCount: 0, UHostSet: [] });

    const added = control.addHosts({ region: "hk", count: 2, patch: { Name: "新机器" } });
    expect(await listAll(simulator)).toEqual(expect.arrayContaining(added));
    expect(control.host(added[1] ?? "")?.Name).toBe("新机器");
    const ids = [before[10]?.id ?? ""];
    control.updateHosts({ ids }, { State: "Stopped" });
    expect(control.updateHosts({ ids }, { UHostId: "uhost-new", Name: "改名" })).toEqual(["uhost-new"]);
    expect(control.host("uhost-new")).toMatchObject({ UHostId: "uhost-new", State: "Stopped", Name: "改名" });
    expect(control.host(ids[0] ?? "")).toBeUndefined();

    expect(control.restoreHosts()).toHaveLength(5);
    control.removeHosts({ ids: added });
    expect(control.hosts().map(({ id }) => (id === "uhost-new" ? ids[0] : id))).toEqual(before.map(({ id }) => id));
    control.reset();
    expect(control.hosts()).toEqual(before);
  });

  test("held calls wait, are counted and get the hosts of the moment of their release", async () => {
    const simulator = await start();
    const { control } = simulator;
    control.hold({ region: "cn-bj2" });
    const calls = [call(simulator, LIST), call(simulator, LIST), call(simulator, LIST)];
    await control.waitForHeld(3);
    expect(control.calls()).toMatchObject({ inFlight: 3, held: 3, maxConcurrency: 3 });
    expect((await call(simulator, { ...LIST, Region: "hk" })).RetCode).toBe(0);
    control.removeHosts({ region: "cn-bj2" });
    expect(control.release(1)).toBe(1);
    expect(await Promise.race(calls)).toMatchObject({ RetCode: 0, TotalCount: 0 });
    expect(control.calls().held).toBe(2);
    expect(control.release()).toBe(2);
    await Promise.all(calls);
    expect(control.calls()).toMatchObject({ inFlight: 0, total: 4, byAction: { DescribeUHostInstance: 4 } });
  });

  test("a fault rule hits the calls it selects as often as it says", async () => {
    const simulator = await start();
    const { control } = simulator;
    control.addFaults({ region: "cn-bj2", nth: 2, times: 2, fault: { kind: "retCode", retCode: 8857 } });
    const codes: number[] = [];
    for (let i = 0; i < 5; i++) codes.push((await call(simulator, LIST)).RetCode);
    expect(codes).toEqual([0, 8857, 8857, 0, 0]);
    expect((await call(simulator, { ...LIST, Region: "hk" })).RetCode).toBe(0);
    expect(control.calls().last.map((record) => record.faults)).toEqual([[], ["retCode"], ["retCode"], [], [], []]);
  });

  test("an unknown region and an option out of range are refused", async () => {
    await expect(start({ regions: ["cn-nowhere"] })).rejects.toThrow("unknown region cn-nowhere");
    await expect(start({ hosts: 100_001 })).rejects.toThrow("hosts");
  });
});
