import { describe, expect, test } from "vitest";
import type { Simulator } from "../../src/simulator/server.ts";
import { call, LIST, listWorld, start } from "./speak.ts";

describe("the world", () => {
  test("the same seed makes the same world, another seed other hosts", async () => {
    const [one, same, other] = await Promise.all([start({ seed: 7 }), start({ seed: 7 }), start({ seed: 8 })]);
    const list = async (simulator: Simulator) => (await call(simulator, LIST)).UHostSet;
    expect(await list(one)).toEqual(await list(same));
    expect(one.control.hosts()).toEqual(same.control.hosts());
    const ids = new Set(one.control.hosts().map((host) => host.id));
    expect(other.control.hosts().some((host) => ids.has(host.id))).toBe(false);
  });

  test("hosts vanish, come back in their old place, appear and change", async () => {
    const simulator = await start();
    const { control } = simulator;
    const before = control.hosts();
    const removed = control.removeHosts({ region: "cn-bj2", count: 5 });
    expect(removed).toHaveLength(5);
    const left = (await listWorld(simulator)).toSorted();
    expect(left).toEqual(
      before
        .map((host) => host.id)
        .filter((id) => !removed.includes(id))
        .toSorted(),
    );
    expect(await call(simulator, { ...LIST, "UHostIds.0": removed[0] ?? "" })).toMatchObject({
      TotalCount: 0,
      UHostSet: [],
    });

    const added = control.addHosts({ region: "hk", count: 2, patch: { Name: "新机器" } });
    expect(await listWorld(simulator)).toEqual(expect.arrayContaining(added));
    expect(control.host(added[1] ?? "")?.Name).toBe("新机器");
    control.updateHosts({ ids: [before[10]?.id ?? ""] }, { State: "Stopped", Name: "改名" });
    expect(control.host(before[10]?.id ?? "")).toMatchObject({ State: "Stopped", Name: "改名" });

    expect(control.restoreHosts()).toHaveLength(5);
    expect(control.hosts().filter((host) => !added.includes(host.id))).toEqual(before);
    control.reset();
    expect(control.hosts()).toEqual(before);
  });

  test("100,000 hosts start within a second, in modest memory, and page fast", async () => {
    const heapBefore = process.memoryUsage().heapUsed;
    const begin = performance.now();
    const simulator = await start({ hosts: 100_000, regions: ["cn-bj2", "cn-sh2"], projects: 1 });
    expect(performance.now() - begin).toBeLessThan(1000);
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(64 * 1024 * 1024);
    const total = simulator.control.hosts({ region: "cn-bj2" }).length;
    const last = await call(simulator, { ...LIST, Offset: total - 1 });
    expect(last).toMatchObject({ TotalCount: total });
    expect(last.UHostSet).toHaveLength(1);
    const all = simulator.control.hosts();
    expect(new Set(all.map((host) => host.id)).size).toBe(100_000);
  });
});
