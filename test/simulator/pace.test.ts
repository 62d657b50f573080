import { describe, expect, test } from "vitest";
import { call, LIST, listAll, start } from "./speak.ts";

describe("pace", () => {
  test("held calls wait, are counted, and see the world as it is when they are released", async () => {
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
    control.release();
    await Promise.all(calls);
    expect(control.calls()).toMatchObject({ inFlight: 0, total: 4, byAction: { DescribeUHostInstance: 4 } });
  });

  test("calls beyond the rate get 153", async () => {
    const simulator = await start({ rateLimitPerSecond: 5 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(simulator, { ...LIST, Limit: 1 })));
    const throttled = answers.filter((answer) => answer.RetCode === 153).length;
    expect(throttled).toBeGreaterThanOrEqual(4);
    expect(throttled).toBeLessThanOrEqual(5);
  });

  test("latency can be given and changed", async () => {
    const simulator = await start({ latencyMs: 60 });
    const timed = async () => {
      const begin = performance.now();
      await call(simulator, { ...LIST, Limit: 1 });
      return performance.now() - begin;
    };
    expect(await timed()).toBeGreaterThanOrEqual(55);
    simulator.control.setLatency(120);
    expect(await timed()).toBeGreaterThanOrEqual(115);
  });

  test("with drift, pages skip hosts and show others twice", async () => {
    const simulator = await start({ regions: ["cn-bj2"], projects: 1, pageDrift: 3 });
    const projectId = simulator.control.projects()[0]?.id ?? "";
    const seen = await listAll(simulator, { Region: "cn-bj2", ProjectId: projectId });
    expect(seen).toHaveLength(300);
    expect(new Set(seen).size).toBe(294);
  });
});
