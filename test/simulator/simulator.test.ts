import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { signatureOf } from "../../src/simulator/auth.ts";
import type { HostRecord } from "../../src/simulator/host-terms.ts";
import {
  MAIN_KEYS,
  OTHER_KEYS,
  type SimulatorOptions,
  SUB_KEYS,
} from "../../src/simulator/options.ts";
import { type Simulator, startSimulator } from "../../src/simulator/server.ts";

const GET_REGION = { Action: "GetRegion" };
const GET_BALANCE = { Action: "GetBalance" };
const Amounts = z.object({ AmountAvailable: z.union([z.string(), z.number()]) });
const Answer = z.looseObject({
  RetCode: z.number(),
  TotalCount: z.number().optional(),
  UHostSet: z.array(z.looseObject({ UHostId: z.string() })).optional(),
});
type Params = Record<string, string | number>;

const LIST = { Action: "DescribeUHostInstance", Region: "cn-bj2", Limit: 100, Offset: 0 };

/** A simulator that stops after the test. */
async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ hosts: 300, ...options });
  onTestFinished(() => simulator[Symbol.asyncDispose]());
  return simulator;
}

function signed(params: Params, { publicKey, privateKey }: Params = MAIN_KEYS): Params {
  const all = { ...params, PublicKey: String(publicKey) };
  const texts = Object.entries(all).map(([name, value]) => [name, String(value)] as const);
  return { ...all, Signature: signatureOf(texts, String(privateKey)) };
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function call(
  { url }: Simulator,
  params: Params,
  keys?: Params,
): Promise<z.infer<typeof Answer>> {
  return Answer.parse(await (await post(url, signed(params, keys))).json());
}

/** The ids of every project and opened region, read page by page. */
async function listAll(simulator: Simulator): Promise<string[]> {
  const ids: string[] = [];
  for (const { id: ProjectId } of simulator.control.projects()) {
    for (const Region of simulator.control.regions()) {
      for (let Offset = 0, total = 1; Offset < total; Offset += 100) {
        const page = await call(simulator, { ...LIST, ProjectId, Region, Offset });
        ids.push(...(page.UHostSet ?? []).map((host) => host.UHostId));
        total = page.TotalCount ?? 0;
      }
    }
  }
  return ids;
}

describe("the simulator's gateway", () => {
  test("accepts a published signature, and refuses it when anything is changed", async () => {
    const { url } = await start();
    const params = {
      Action: LIST.Action,
      Region: "cn-bj2",
      "UHostIds.0": "uhost-a",
      "UHostIds.1": "uhost-b",
    };
    const Signature = "f9cd05976ab6ec5c6af52fb7110818888de8d6c4";
    const all = { ...params, PublicKey: MAIN_KEYS.publicKey, Signature };
    const answer = await post(url, all);
    expect(answer.headers.get("x-ucloud-request-uuid")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await answer.json()).toMatchObject({ RetCode: 0 });
    for (const changed of [{ Signature: Signature.replace(/4$/, "5") }, { Extra: "1" }]) {
      const answer = await post(url, { ...all, ...changed });
      expect(await answer.json()).toEqual({ RetCode: 171, Message: "Signature VerifyAC Error" });
    }
  });

  test.each<[string, unknown, number]>([
    ["a body that is not an object", null, 160],
    ["a missing signature", GET_REGION, 170],
    ["an unknown key", { ...GET_REGION, PublicKey: "nobody", Signature: "0" }, 172],
    ["an unknown action", signed({ Action: "TerminateEverything" }), 161],
    ["a listing without a region", signed({ Action: LIST.Action }), 220],
    ["a page of more than 100 hosts", signed({ ...LIST, Limit: 101 }), 230],
    ["a page beyond the last host", signed({ ...LIST, Offset: 301 }), 230],
    ["an unknown region", signed({ ...LIST, Region: "cn-nowhere" }), 230],
    ["a region that is not opened", signed({ ...LIST, Region: "sg" }), 230],
    ["an unknown project", signed({ ...LIST, ProjectId: "org-nope" }), 292],
    ["a sub-account that lists regions", signed(GET_REGION, SUB_KEYS), 299],
    ["a sub-account that lists projects", signed({ Action: "GetProjectList" }, SUB_KEYS), 299],
    ["a sub-account that names no project", signed(LIST, SUB_KEYS), 220],
  ])("answers %s with its own code", async (_, body, retCode) => {
    const { url } = await start({ regions: ["cn-bj2", "hk"] });
    expect(await (await post(url, body)).json()).toMatchObject({ RetCode: retCode });
  });

  test("lists each host of a project once, page by page", async () => {
    const simulator = await start({ hosts: 1500 });

    const ids = await listAll(simulator);

    expect(ids).toEqual(simulator.control.hosts().map(({ id }) => id));
    expect(new Set(ids).size).toBe(1500);
  });

  test("lists 20 hosts on a page by default", async () => {
    const simulator = await start();

    const page = await call(simulator, { Action: LIST.Action, Region: "cn-bj2" });

    expect(page.UHostSet).toHaveLength(20);
  });

  test("finds by id the hosts of the region and project alone", async () => {
    const simulator = await start();
    const { control } = simulator;
    const [{ id = "" } = {}] = control.hosts({ region: "cn-bj2" });
    const [other] = control.hosts({ region: "hk" });
    const ids = { "UHostIds.0": other?.id ?? "", "UHostIds.1": id, "UHostIds.2": "uhost-1zzzzzzz" };

    const found = await call(simulator, { ...LIST, ...ids });

    expect(found).toMatchObject({ TotalCount: 1, UHostSet: [{ UHostId: id }] });
  });

  test("refuses a sub-account every project but the first", async () => {
    const simulator = await start();
    const [own, other] = simulator.control.projects().map(({ id }) => id);
    const codeOf = async (ProjectId = "") =>
      (await call(simulator, { ...LIST, ProjectId }, SUB_KEYS)).RetCode;

    expect([await codeOf(own), await codeOf(other)]).toEqual([0, 299]);
  });
});

describe("the simulator's control", () => {
  test("applies a fault to the calls that its rule selects as often as it says", async () => {
    const simulator = await start();
    const { control } = simulator;
    control.addFaults({
      region: "cn-bj2",
      nth: 2,
      times: 2,
      fault: { kind: "retCode", retCode: 8857 },
    });
    const codes: number[] = [];
    for (const Region of ["cn-bj2", "hk", "cn-bj2", "cn-bj2", "cn-bj2"]) {
      codes.push((await call(simulator, { ...LIST, Region })).RetCode);
    }

    expect(codes).toEqual([0, 0, 8857, 8857, 0]);
    expect(control.calls().last.map((record) => record.faults)).toEqual([
      [],
      [],
      ["retCode"],
      ["retCode"],
      [],
    ]);
  });
});

describe("the simulator's world", () => {
  const HOUR = 3_600;
  const DAY = 24 * HOUR;
  const NOW = 1_900_000_000;
  const options = { hosts: 400, projects: 1, regions: ["cn-bj2"], now: NOW };

  const recordsOf = ({ control }: Simulator): HostRecord[] =>
    control.hosts().map(({ id }) => control.host(id) ?? {});

  test("moves the end of what is billed by the hour to the end of each hour", async () => {
    const simulator = await start(options);
    const ends = () =>
      recordsOf(simulator)
        .filter(({ ChargeType }) => ChargeType === "Dynamic" || ChargeType === "Preemptive")
        .map(({ ExpireTime }) => ExpireTime);
    const endOfHour = (at: number) => at - (at % HOUR) + HOUR;
    const { length } = ends();

    simulator.control.setTime(NOW + 2 * HOUR);

    expect(length).toBeGreaterThan(10);
    expect(ends()).toEqual(Array(length).fill(endOfHour(NOW + 2 * HOUR)));
  });

  test("renews prepaid hosts that renew themselves, however that is spelled, and no others", async () => {
    const simulator = await start(options);
    const prepaid = () =>
      recordsOf(simulator).filter(({ ChargeType }) => /Month|Year/.test(String(ChargeType)));
    const renewed = prepaid().filter(({ AutoRenew }) => /yes/i.test(String(AutoRenew)));
    const spellings = new Set(prepaid().map(({ AutoRenew }) => AutoRenew));

    simulator.control.setTime(NOW + 400 * DAY);

    expect([...spellings].toSorted()).toEqual(["NO", "No", "YES", "Yes", "no", "yes", undefined]);
    const later = new Map(prepaid().map((host) => [host.UHostId, Number(host.ExpireTime)]));
    const lasting = [...later].filter(([, end]) => end > NOW + 400 * DAY).map(([id]) => id);
    expect(lasting).toEqual(renewed.map(({ UHostId }) => UHostId));
  });

  test("tells what the account has left in every form of the reference", async () => {
    const simulator = await start();

    const forms = new Set<string>();
    for (let answers = 0; answers < 40; answers++) {
      const { AccountInfo, AmountAvailable } = await call(simulator, GET_BALANCE);
      const inside = AccountInfo === undefined ? "beside" : "inside";
      const amount = AmountAvailable ?? Amounts.parse(AccountInfo).AmountAvailable;
      forms.add(`${inside}: ${JSON.stringify(amount)}`);
    }

    const expected = ['beside: "12345.67"', "beside: 12345.67"];
    expect([...forms].toSorted()).toEqual([
      ...expected,
      ...expected.map((form) => form.replace("beside", "inside")),
    ]);
  });

  test("tells each account its own balance, and a sub-account none", async () => {
    const simulator = await start();
    const [{ publicKey }] = OTHER_KEYS;
    simulator.control.setBalance({ available: -1.5, amount: -1.5, publicKey });

    const own = await call(simulator, GET_BALANCE);
    const other = await call(simulator, GET_BALANCE, OTHER_KEYS[0]);
    const sub = await call(simulator, GET_BALANCE, SUB_KEYS);

    expect(JSON.stringify(own)).toContain("12345.67");
    expect(JSON.stringify(other)).toContain("-1.5");
    expect(sub.RetCode).toBe(299);
  });

  test("lists the same addresses of a host in another order from answer to answer", async () => {
    const simulator = await start({ ...options, hosts: 1 });
    const addresses = ["10.0.0.1", "203.0.113.1", "203.0.113.2"].map((IP) => ({ IP }));
    simulator.control.updateHosts({}, { IPSet: addresses });

    const orders = new Set<string>();
    for (let answers = 0; answers < 40; answers++) {
      const { UHostSet } = await call(simulator, LIST);
      orders.add(JSON.stringify(UHostSet?.[0]?.IPSet));
    }

    expect(orders.size).toBe(6);
  });

  test("removes hosts at the end of their lifetime, and forgets the time at a reset", async () => {
    const { control } = await start({ ...options, hosts: 1 });
    control.addHosts({ region: "cn-bj2", lifetime: HOUR });
    const count = () => control.hosts().length;

    control.setTime(NOW + HOUR - 1);
    const before = count();
    control.setTime(NOW + HOUR);
    const after = count();
    control.reset();
    control.addHosts({ region: "cn-bj2", lifetime: HOUR });

    expect([before, after, count()]).toEqual([2, 1, 2]);
    expect(() => control.setTime(NOW - 1)).toThrow(RangeError);
  });

  test("makes the same hosts with a clock that goes on as with one that stands still", async () => {
    const fixed = await start({ hosts: 50 });
    const system = await start({ hosts: 50, clock: "system" });
    const namesOf = (simulator: Simulator) =>
      recordsOf(simulator).map(({ Name, CreateTime }) => [Name, CreateTime]);

    expect(namesOf(system)).toEqual(namesOf(fixed));
    expect(() => system.control.setTime(Math.floor(Date.now() / 1000) - 60)).toThrow(RangeError);
  });
});
