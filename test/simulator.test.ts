import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Fault } from "../src/simulator/faults.ts";
import { MAIN_KEYS, type SimulatorOptions, SUB_KEYS } from "../src/simulator/options.ts";
import { type Simulator, startSimulator } from "../src/simulator/server.ts";
import { signatureOf } from "../src/simulator/signature.ts";

const NOW = 1_790_000_000;
const Answer = z.looseObject({
  RetCode: z.number(),
  Message: z.string().optional(),
  Action: z.string().optional(),
  TotalCount: z.number().optional(),
  UHostSet: z.array(z.looseObject({ UHostId: z.string() })).optional(),
});
type Answer = z.infer<typeof Answer>;
type Params = Record<string, string | number>;

let running: Simulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((simulator) => simulator[Symbol.asyncDispose]()));
  running = [];
});

async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ hosts: 300, now: NOW, ...options });
  running.push(simulator);
  return simulator;
}

function signed(params: Params, keys: { publicKey: string; privateKey: string } = MAIN_KEYS): Params {
  const all = { ...params, PublicKey: keys.publicKey };
  return { ...all, Signature: signatureOf(all, keys.privateKey) };
}

function post(url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    redirect: "manual",
    ...(signal && { signal }),
  });
}

async function call(
  simulator: Simulator,
  params: Params,
  keys?: { publicKey: string; privateKey: string },
): Promise<Answer> {
  return Answer.parse(await (await post(simulator.url, signed(params, keys))).json());
}

const LIST = { Action: "DescribeUHostInstance", Region: "cn-bj2", Limit: 100, Offset: 0 };

async function listAll(simulator: Simulator, place: { Region: string; ProjectId: string }): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await call(simulator, { ...LIST, ...place, Offset: offset });
    expect(page.RetCode).toBe(0);
    ids.push(...(page.UHostSet ?? []).map((host) => host.UHostId));
    if (offset + 100 >= (page.TotalCount ?? 0)) return ids;
  }
}

async function listWorld(simulator: Simulator): Promise<string[]> {
  const ids: string[] = [];
  for (const project of simulator.control.projects()) {
    for (const region of simulator.control.regions()) {
      ids.push(...(await listAll(simulator, { Region: region, ProjectId: project.id })));
    }
  }
  return ids;
}

describe("the signature", () => {
  const backends = ["foo", "bar", "42"];
  // published vectors of the provider's documentation and SDKs, none of them computed here
  const vectors: readonly [string, Params, string, number][] = [
    [
      "V1",
      { Action: "DescribeUHostInstance", Region: "cn-bj2", Limit: 10 },
      "cba5cf5ec4d4233d206b1b54951e3787350a642f",
      0,
    ],
    [
      "V3",
      {
        Action: "AllocateBackendBatch",
        ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`Backends.${i}`, backends[i % 3] ?? ""])),
      },
      "6bc32642779f8cb0bb3d3f128b1c0688abf9a1a3",
      161,
    ],
    [
      "D2",
      { Action: "ModifyUHostInstanceName", Region: "cn-bj2", UHostId: "uhost-test", Name: "测试主机" },
      "98c52111641898f7ea67267deaacb0101964301f",
      161,
    ],
    [
      "D5",
      { Action: "DescribeUHostInstance", Region: "cn-bj2", "UHostIds.0": "uhost-a", "UHostIds.1": "uhost-b" },
      "f9cd05976ab6ec5c6af52fb7110818888de8d6c4",
      0,
    ],
  ];

  test.each(vectors)(
    "vector %s is accepted as JSON, form and query, and refused once a letter differs",
    async (_, params, signature, retCode) => {
      const { url, control } = await start();
      const all = { ...params, PublicKey: MAIN_KEYS.publicKey, Signature: signature };
      const encoded = new URLSearchParams(
        Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)])),
      );
      const answers = await Promise.all([
        post(url, all),
        fetch(url, { method: "POST", body: encoded }),
        fetch(`${url}/?${encoded}`),
      ]);
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(answer.headers.get("x-ucloud-request-uuid")).toMatch(/^[0-9a-f-]{36}$/);
        expect(Answer.parse(await answer.json()).RetCode).toBe(retCode);
      }
      expect(
        control
          .calls()
          .last.map((seen) => seen.encoding)
          .toSorted(),
      ).toEqual(["form", "json", "query"]);
      const wrong = await post(url, { ...all, Signature: signature.replace(/.$/, (c) => (c === "f" ? "e" : "f")) });
      expect(await wrong.json()).toEqual({ RetCode: 171, Message: "Signature VerifyAC Error" });
      const tampered = await post(url, { ...all, Extra: "1" });
      expect(Answer.parse(await tampered.json()).RetCode).toBe(171);
    },
  );

  test("missing action, missing signature, unknown key and unknown action have their own codes", async () => {
    const { url } = await start();
    const retCode = async (body: unknown) => Answer.parse(await (await post(url, body)).json()).RetCode;
    expect(await retCode({})).toBe(160);
    expect(await retCode({ Action: "GetRegion" })).toBe(170);
    expect(await retCode({ Action: "GetRegion", PublicKey: "nobody", Signature: "0" })).toBe(172);
    expect(await retCode(signed({ Action: "TerminateEverything" }))).toBe(161);
  });
});

describe("listing", () => {
  test("paging through every region and project meets each host exactly once", async () => {
    const simulator = await start({ hosts: 1500 });
    const seen = await listWorld(simulator);
    expect(seen).toHaveLength(1500);
    expect(new Set(seen).size).toBe(1500);
    expect(seen).toEqual(simulator.control.hosts().map((host) => host.id));
  });

  test("the limits of the real gateway hold", async () => {
    const simulator = await start();
    const { control } = simulator;
    const total = control.hosts({ region: "cn-bj2", projectId: control.projects()[0]?.id }).length;
    expect((await call(simulator, { Action: "DescribeUHostInstance", Region: "cn-bj2" })).UHostSet).toHaveLength(20);
    expect(await call(simulator, { ...LIST, Limit: 101 })).toMatchObject({ RetCode: 230 });
    expect(await call(simulator, { ...LIST, Offset: total + 1 })).toMatchObject({ RetCode: 230 });
    expect(await call(simulator, { ...LIST, Offset: total })).toMatchObject({
      RetCode: 0,
      TotalCount: total,
      UHostSet: [],
    });
    expect(await call(simulator, { Action: "DescribeUHostInstance" })).toMatchObject({ RetCode: 220 });
    expect(await call(simulator, { ...LIST, ProjectId: "org-nope" })).toMatchObject({
      RetCode: 292,
      Message: "Project [org-nope] not exists",
    });
    expect(await call(simulator, { ...LIST, Region: "cn-nowhere" })).toMatchObject({ RetCode: 230 });
  });

  test("regions that are not opened are listed and answer 230", async () => {
    const simulator = await start({ regions: ["cn-bj2", "hk"] });
    const { Regions } = z
      .object({
        Regions: z.array(
          z.object({ Region: z.string(), Zone: z.string(), RegionName: z.string(), IsDefault: z.boolean() }),
        ),
      })
      .parse(await call(simulator, { Action: "GetRegion" }));
    expect(Regions).toHaveLength(43);
    expect(new Set(Regions.map((row) => row.Region)).size).toBe(33);
    expect(await call(simulator, { ...LIST, Region: "sg" })).toEqual({
      RetCode: 230,
      Message: "Params [Region] not available",
      Action: "DescribeUHostInstanceResponse",
    });
    simulator.control.setRegionOpen("sg", true);
    expect(await call(simulator, { ...LIST, Region: "sg" })).toMatchObject({ RetCode: 0, TotalCount: 0 });
  });

  test("look-up by id finds hosts of that region and project only, and leaves out unknown ids", async () => {
    const simulator = await start();
    const [first] = simulator.control.hosts({ region: "cn-bj2" });
    const [elsewhere] = simulator.control.hosts({ region: "hk" });
    const answer = await call(simulator, {
      Action: "DescribeUHostInstance",
      Region: "cn-bj2",
      "UHostIds.0": elsewhere?.id ?? "",
      "UHostIds.1": first?.id ?? "",
      "UHostIds.2": "uhost-1zzzzzzz",
    });
    expect(answer.TotalCount).toBe(1);
    expect(answer.UHostSet).toEqual([simulator.control.host(first?.id ?? "")]);
  });

  test("a sub-account is refused the lists, must name its project, and sees only that", async () => {
    const simulator = await start();
    const [own, other] = simulator.control.projects();
    expect((await call(simulator, { Action: "GetRegion" }, SUB_KEYS)).RetCode).toBe(299);
    expect((await call(simulator, { Action: "GetProjectList" }, SUB_KEYS)).RetCode).toBe(299);
    expect((await call(simulator, LIST, SUB_KEYS)).RetCode).toBe(220);
    expect((await call(simulator, { ...LIST, ProjectId: other?.id ?? "" }, SUB_KEYS)).RetCode).toBe(299);
    const seen = await call(simulator, { ...LIST, ProjectId: own?.id ?? "" }, SUB_KEYS);
    expect(seen).toEqual(await call(simulator, LIST));
  });

  test("hosts have the documented types, with oddities and every kind of expiry among them", async () => {
    const simulator = await start({ hosts: 5000 });
    const records = simulator.control.hosts().map((host) => simulator.control.host(host.id));
    for (const record of records) {
      Documented.parse(record);
      expect(record).not.toHaveProperty("Region");
      expect(record).not.toHaveProperty("ProjectId");
    }
    const states = new Set(records.map((record) => record?.State));
    for (const state of ["Running", "Stopped", "", "Install Fail"]) expect(states).toContain(state);
    expect(records.some((record) => record?.IPSet === undefined)).toBe(true);
    const days = records
      .filter((record) => record?.ChargeType === "Month" || record?.ChargeType === "Year")
      .map((record) => Math.ceil((Number(record?.ExpireTime) - NOW) / 86_400));
    expect(days.some((left) => left < 0)).toBe(true);
    expect(days.some((left) => left >= 1 && left <= 7)).toBe(true);
    expect(days.some((left) => left > 330)).toBe(true);
  });
});

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

describe("as a process", () => {
  test("it announces itself, obeys its control over HTTP, and exits 0 on SIGTERM", async () => {
    const child = spawn(
      process.execPath,
      ["src/simulator/main.ts", "--port", "0", "--hosts", "50", "--regions", "cn-bj2,hk"],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const [line] = z.tuple([z.string()]).parse(await once(createInterface(child.stdout), "line"));
    const url = /^simulator listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1] ?? "";
    const control = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${url}/__control/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: z.looseObject({}).parse(await response.json()) };
    };
    expect((await control("GET", "hosts")).json).toMatchObject({ total: 50 });
    expect((await control("POST", "hosts/remove", { region: "hk" })).status).toBe(200);
    expect((await control("POST", "hosts/add", { region: "hk", count: 4 })).json.ids).toHaveLength(4);
    expect((await control("GET", "hosts?region=hk")).json).toMatchObject({ total: 4 });
    expect((await control("POST", "faults", { times: 1, fault: { kind: "httpStatus", status: 503 } })).json).toEqual({
      ids: ["fault-1"],
    });
    expect((await post(url, signed(LIST))).status).toBe(503);
    expect((await control("POST", "hold", {})).status).toBe(200);
    const waiting = post(url, signed(LIST));
    expect((await control("POST", "wait-held", { count: 1 })).json).toEqual({ held: 1 });
    expect((await control("POST", "release", {})).json).toEqual({ released: 1 });
    expect((await waiting).status).toBe(200);
    expect((await control("GET", "calls")).json).toMatchObject({ total: 2, inFlight: 0 });
    expect((await control("POST", "faults", { fault: { kind: "nonsense" } })).status).toBe(400);
    expect((await control("POST", "reset")).status).toBe(200);
    expect((await control("GET", "hosts")).json).toMatchObject({ total: 50 });
    expect((await control("GET", "nothing")).status).toBe(404);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

const whole = z.int();
const Documented = z.strictObject({
  UHostId: z.string().startsWith("uhost-"),
  Name: z.string().optional(),
  Remark: z.string().optional(),
  Tag: z.string().optional(),
  Zone: z.string().optional(),
  State: z.string().optional(),
  BootDiskState: z.string().optional(),
  CPU: whole.optional(),
  Memory: whole.multipleOf(1024).optional(),
  GPU: whole.optional(),
  GpuType: z.string().optional(),
  MachineType: z.string().optional(),
  UHostFamily: z.string().optional(),
  CpuPlatform: z.string().optional(),
  UHostType: z.string().optional(),
  HostType: z.string().optional(),
  HotPlugMaxCpu: whole.optional(),
  ChargeType: z.string().optional(),
  CreateTime: whole.max(NOW).optional(),
  ExpireTime: whole.optional(),
  AutoRenew: z.enum(["Yes", "No"]).optional(),
  IsExpire: z.enum(["Yes", "No"]).optional(),
  OsName: z.string().optional(),
  OsType: z.enum(["Linux", "Windows"]).optional(),
  ImageId: z.string().optional(),
  BasicImageId: z.string().optional(),
  BasicImageName: z.string().optional(),
  TotalDiskSpace: whole.optional(),
  StorageType: z.enum(["UDisk", "LocalDisk"]).optional(),
  DiskSet: z
    .array(
      z.strictObject({
        DiskId: z.string(),
        DiskType: z.string(),
        IsBoot: z.enum(["True", "False"]),
        Type: z.string().optional(),
        Name: z.string().optional(),
        Drive: z.string(),
        Size: whole,
        Encrypted: z.string(),
        BackupType: z.string().optional(),
      }),
    )
    .refine((disks) => disks.length === 0 || disks.filter((disk) => disk.IsBoot === "True").length === 1)
    .optional(),
  IPSet: z
    .array(
      z.strictObject({
        IPMode: z.enum(["IPv4", "IPv6"]),
        Type: z.string(),
        IP: z.union([z.ipv4(), z.ipv6()]),
        IPId: z.string().optional(),
        Bandwidth: whole.optional(),
        Weight: whole.optional(),
        Mac: z.string().optional(),
        Default: z.literal("true").optional(),
        VPCId: z.string().optional(),
        SubnetId: z.string().optional(),
      }),
    )
    .optional(),
  NetCapability: z.string().optional(),
  NetworkState: z.string().optional(),
  NetFeatureTag: z.string().optional(),
  TimemachineFeature: z.string().optional(),
  HotplugFeature: z.boolean().optional(),
  CloudInitFeature: z.boolean().optional(),
  IPv6Feature: z.boolean().optional(),
  HpcFeature: z.boolean().optional(),
  EpcInstance: z.boolean().optional(),
  SecGroupInstance: z.boolean().optional(),
  HiddenKvm: z.boolean().optional(),
  LifeCycle: z.string().optional(),
  IsolationGroup: z.string().optional(),
  RdmaClusterId: z.string().optional(),
  RestrictMode: z.string().optional(),
  KeyPair: z.strictObject({ KeyPairId: z.string().optional(), KeyPairState: z.string().optional() }).optional(),
  SpotAttribute: z.strictObject({ RecycleTime: whole }).optional(),
});
