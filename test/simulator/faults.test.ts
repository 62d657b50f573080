import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/simulator/faults.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { call, LIST, type Params, post, signed, start } from "./speak.ts";

describe("faults", () => {
  test("a rule hits the calls it names, as often as it says, and no other", async () => {
    const simulator = await start();
    const { control } = simulator;
    control.addFaults({ region: "cn-bj2", nth: 2, times: 2, fault: { kind: "retCode", retCode: 8857, message: "忙" } });
    const codes: number[] = [];
    for (let i = 0; i < 5; i++) codes.push((await call(simulator, LIST)).RetCode);
    expect(codes).toEqual([0, 8857, 8857, 0, 0]);
    expect((await call(simulator, { ...LIST, Region: "hk" })).RetCode).toBe(0);
    expect(control.faults()).toMatchObject([{ matched: 5, hit: 2 }]);
    expect(control.calls().byRetCode).toEqual({ 0: 4, 8857: 2 });
    expect(control.calls().last[1]?.faults).toEqual(["retCode"]);
  });

  test("throttling ends after as many calls as it says", async () => {
    const simulator = await start();
    simulator.control.addFaults({ fault: { kind: "throttledUntil", calls: 2 } });
    const codes: number[] = [];
    for (let i = 0; i < 3; i++) codes.push((await call(simulator, LIST)).RetCode);
    expect(codes).toEqual([153, 153, 0]);
  });

  test.each<[Fault, (response: Response, text: string) => void]>([
    [
      { kind: "httpStatus", status: 429, retryAfterSeconds: 3 },
      (response, text) => {
        expect([response.status, response.headers.get("retry-after")]).toEqual([429, "3"]);
        expect(text).toContain("<html>");
      },
    ],
    [
      { kind: "redirect", location: "http://127.0.0.1:1/" },
      (response) => {
        expect([response.status, response.headers.get("location")]).toEqual([302, "http://127.0.0.1:1/"]);
      },
    ],
    [{ kind: "retCode", retCode: 153, asString: true }, (_, text) => expect(text).toContain('"RetCode":"153"')],
    [{ kind: "retCodeAsString" }, (_, text) => expect(text).toContain('"RetCode":"0"')],
    [{ kind: "notJson" }, (_, text) => expect(text).toMatch(/^<!DOCTYPE/)],
    [{ kind: "jsonScalar", value: "hello" }, (_, text) => expect(text).toBe('"hello"')],
    [{ kind: "emptyBody" }, (_, text) => expect(text).toBe("")],
    [{ kind: "truncatedJson" }, (_, text) => expect(() => JSON.parse(text)).toThrow(SyntaxError)],
    [{ kind: "hugeBody", mebibytes: 3 }, (_, text) => expect(text.length).toBeGreaterThan(3 * 1024 * 1024)],
    [{ kind: "hugeBody", mebibytes: 3, gzip: true }, (_, text) => expect(text.length).toBeGreaterThan(3 * 1024 * 1024)],
    [{ kind: "deepJson", depth: 5000 }, (_, text) => expect(text).toContain("[".repeat(5000))],
    [{ kind: "wrongAction" }, (_, text) => expect(JSON.parse(text).Action).toBe("GetRegionResposne")],
    [{ kind: "rawField", field: "TotalCount", raw: "NaN" }, (_, text) => expect(text).toContain('"TotalCount":NaN')],
    [{ kind: "setField", field: "UHostSet", value: null }, (_, text) => expect(JSON.parse(text).UHostSet).toBeNull()],
    [
      { kind: "setField", field: "TotalCount", value: "-1" },
      (_, text) => expect(JSON.parse(text).TotalCount).toBe("-1"),
    ],
    [
      { kind: "dropField", field: "TotalCount" },
      (_, text) => expect(JSON.parse(text)).not.toHaveProperty("TotalCount"),
    ],
    [{ kind: "emptyAnswer" }, (_, text) => expect(JSON.parse(text)).toMatchObject({ TotalCount: 0, UHostSet: [] })],
    [
      { kind: "missingIds", every: 2 },
      (_, text) => {
        const ids: unknown[] = JSON.parse(text).UHostSet.map((host: { UHostId?: string }) => host.UHostId);
        expect([ids[0], typeof ids[1]]).toEqual([undefined, "string"]);
      },
    ],
    [{ kind: "nullInHosts", field: "IPSet" }, (_, text) => expect(text).toContain('"IPSet":null')],
    [{ kind: "notAHost", value: 7 }, (_, text) => expect(JSON.parse(text).UHostSet[0]).toBe(7)],
    [{ kind: "yearTenThousand" }, (_, text) => expect(text).toContain('"ExpireTime":253402300800')],
    [{ kind: "badText", text: "nul" }, (_, text) => expect(text).toContain("\\u0000")],
    [{ kind: "badText", text: "loneSurrogate" }, (_, text) => expect(text).toContain("\\ud83d-01")],
    [{ kind: "badText", text: "markup" }, (_, text) => expect(JSON.parse(text).UHostSet[0].Name).toContain("<script>")],
    [
      { kind: "zeroValues" },
      (_, text) => expect(JSON.parse(text).UHostSet[0]).toMatchObject({ Name: "", State: "", CPU: 0 }),
    ],
    [{ kind: "slowDrip", everyMs: 1, bytes: 100_000 }, (_, text) => expect(JSON.parse(text).RetCode).toBe(0)],
  ])("%j is what arrives", async (fault, check) => {
    const simulator = await start();
    simulator.control.addFaults({ action: "DescribeUHostInstance", fault });
    const response = await post(simulator.url, signed(LIST));
    check(response, await response.text());
    simulator.control.clearFaults();
    expect((await call(simulator, LIST)).RetCode).toBe(0);
  });

  test("pages can overlap, repeat, run short and lie about the total", async () => {
    const simulator = await start({ regions: ["cn-bj2"], projects: 1 });
    const { control } = simulator;
    const page = async (params: Params) => {
      const { TotalCount, UHostSet = [] } = await call(simulator, { ...LIST, ...params });
      return { total: TotalCount, ids: UHostSet.map((host) => host.UHostId) };
    };
    const under = async (fault: Fault, params: Params) => {
      control.clearFaults();
      control.addFaults({ fault });
      return page(params);
    };
    const all = control.hosts().map((host) => host.id);
    expect((await under({ kind: "offsetIgnored" }, { Offset: 200 })).ids).toEqual(all.slice(0, 100));
    expect((await under({ kind: "overlappingPages", by: 10 }, { Offset: 100 })).ids).toEqual(all.slice(90, 190));
    expect((await under({ kind: "shortPages", size: 7 }, {})).ids).toEqual(all.slice(0, 7));
    expect((await under({ kind: "doubledPage" }, { Limit: 2 })).ids).toEqual([...all.slice(0, 2), ...all.slice(0, 2)]);
    expect((await under({ kind: "duplicatedId" }, { Limit: 3 })).ids).toEqual([all[0], all[1], all[0]]);
    expect(await under({ kind: "emptyPage" }, {})).toEqual({ total: 300, ids: [] });
    expect((await under({ kind: "totalCountOff", by: -3 }, {})).total).toBe(297);
    expect((await under({ kind: "totalCountMoves", step: 5 }, {})).total).toBe(305);
    expect((await page({})).total).toBe(310);
  });

  test("connections break off, and calls hang until the caller gives up", async () => {
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

  test("a fault never hides a wrong signature", async () => {
    const simulator = await start();
    simulator.control.addFaults({ fault: { kind: "httpStatus", status: 502 } });
    const answer = await call(simulator, LIST, { ...MAIN_KEYS, privateKey: "wrong" });
    expect(answer.RetCode).toBe(171);
  });
});
