import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/simulator/faults.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import * as faults from "../harness/faults.ts";
import { call, LIST, type Params, post, signed, start } from "./client.ts";

describe("fault rules", () => {
  test("a rule hits the calls it selects as often as it says", async () => {
    const simulator = await start();
    const { control } = simulator;
    control.addFaults({ region: "cn-bj2", nth: 2, times: 2, fault: { kind: "retCode", retCode: 8857 } });
    const codes: number[] = [];
    for (let i = 0; i < 5; i++) codes.push((await call(simulator, LIST)).RetCode);
    expect(codes).toEqual([0, 8857, 8857, 0, 0]);
    expect((await call(simulator, { ...LIST, Region: "hk" })).RetCode).toBe(0);
    expect(control.calls().last.map((record) => record.faults)).toEqual([[], ["retCode"], ["retCode"], [], [], []]);
  });

  test.each<[Fault, string | RegExp]>([
    [{ kind: "retCode", retCode: "153" }, '"RetCode":"153"'],
    [faults.NOT_JSON, /^<!DOCTYPE/],
    [faults.rawTotal("NaN"), '"TotalCount":NaN'],
    [faults.dropField("TotalCount"), /^(?!.*TotalCount)/],
    [faults.setHostField("IPSet", null, 100), '"IPSet":null'],
    [faults.dropHostField("UHostId", 2), /"UHostSet":\[\{"Zone".*\{"UHostId"/],
    [faults.replaceHosts(7, 2), /"UHostSet":\[7,\{.*,7,/],
    [{ kind: "slowDrip", everyMs: 1, bytes: 100_000 }, /^\{"RetCode":0,.*\}$/],
    [{ kind: "hugeBody", mebibytes: 3, gzip: true }, /x{1000}"\}$/],
  ])("%j changes the text of the answer", async (fault, expected) => {
    const simulator = await start();
    simulator.control.addFaults({ action: "DescribeUHostInstance", fault });
    const text = await (await post(simulator.url, signed(LIST))).text();
    expect(typeof expected === "string" ? text.includes(expected) : expected.test(text)).toBe(true);
    simulator.control.clearFaults();
    expect((await call(simulator, LIST)).RetCode).toBe(0);
  });

  test("an HTTP fault sets the status and headers", async () => {
    const simulator = await start();
    simulator.control.addFaults(
      { times: 1, fault: faults.httpStatus(429, 3) },
      { nth: 2, fault: faults.redirect("http://127.0.0.1:1/") },
    );
    const limited = await post(simulator.url, signed(LIST));
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "3"]);
    const moved = await post(simulator.url, signed(LIST));
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "http://127.0.0.1:1/"]);
  });

  test("truncated JSON does not parse", async () => {
    const simulator = await start();
    simulator.control.addFaults({ fault: { kind: "truncatedJson" } });
    await expect(call(simulator, LIST)).rejects.toThrow(SyntaxError);
  });

  test("pages overlap, repeat, run short and report a wrong total", async () => {
    const simulator = await start({ regions: ["cn-bj2"], projects: 1 });
    const { control } = simulator;
    const page = async (fault: Fault, params: Params) => {
      control.clearFaults();
      control.addFaults({ fault });
      const { TotalCount, UHostSet = [] } = await call(simulator, { ...LIST, ...params });
      return { total: TotalCount, ids: UHostSet.map((host) => host.UHostId) };
    };
    const all = control.hosts().map((host) => host.id);
    expect((await page(faults.FIRST_PAGE_ALWAYS, { Offset: 200 })).ids).toEqual(all.slice(0, 100));
    expect((await page(faults.overlappingPages(10), { Offset: 100 })).ids).toEqual(all.slice(90, 190));
    expect((await page(faults.overlappingPages(10), {})).ids).toEqual(all.slice(0, 100));
    expect((await page(faults.shortPages(7), {})).ids).toEqual(all.slice(0, 7));
    const [first, second] = all;
    expect((await page({ kind: "duplicateHosts", which: "all" }, { Limit: 2 })).ids).toEqual([
      first,
      second,
      first,
      second,
    ]);
    expect((await page({ kind: "duplicateHosts", which: "first" }, { Limit: 3 })).ids).toEqual([first, second, first]);
    expect(await page(faults.EMPTY_PAGE, {})).toEqual({ total: 300, ids: [] });
    expect((await page(faults.wrongTotal(-3), {})).total).toBe(297);
    expect((await page(faults.growingTotal(5), {})).total).toBe(305);
    expect((await call(simulator, LIST)).TotalCount).toBe(310);
  });

  test("connections are reset, and calls hang until the client gives up", async () => {
    const simulator = await start();
    const { control, url } = simulator;
    control.addFaults({ times: 1, fault: { kind: "reset" } }, { nth: 2, fault: { kind: "reset", at: "middle" } });
    await expect(post(url, signed(LIST))).rejects.toThrow("fetch failed");
    const half = await post(url, signed(LIST));
    expect(half.status).toBe(200);
    await expect(half.text()).rejects.toThrow();
    control.clearFaults();
    control.addFaults({ fault: { kind: "hang" } });
    await expect(post(url, signed(LIST), AbortSignal.timeout(100))).rejects.toThrow(/timeout/);
    await expect.poll(() => control.calls().inFlight).toBe(0);
  });

  test("a fault does not hide a wrong signature", async () => {
    const simulator = await start();
    simulator.control.addFaults({ fault: faults.httpStatus(502) });
    const answer = await call(simulator, LIST, { ...MAIN_KEYS, privateKey: "wrong" });
    expect(answer.RetCode).toBe(171);
  });
});
