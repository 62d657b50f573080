import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { signatureOf } from "../../src/simulator/auth.ts";
import { MAIN_KEYS, type SimulatorOptions } from "../../src/simulator/options.ts";
import { type Simulator, startSimulator } from "../../src/simulator/server.ts";

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

function signed(params: Params): Params {
  const all = { ...params, PublicKey: MAIN_KEYS.publicKey };
  const texts = Object.entries(all).map(([name, value]) => [name, String(value)] as const);
  return { ...all, Signature: signatureOf(texts, MAIN_KEYS.privateKey) };
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

async function call({ url }: Simulator, params: Params): Promise<z.infer<typeof Answer>> {
  return Answer.parse(await (await post(url, signed(params))).json());
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
    const params = { Action: LIST.Action, Region: "cn-bj2", "UHostIds.0": "uhost-a", "UHostIds.1": "uhost-b" };
    const Signature = "f9cd05976ab6ec5c6af52fb7110818888de8d6c4";
    const all = { ...params, PublicKey: MAIN_KEYS.publicKey, Signature };
    const accepted = await post(url, all);
    expect(accepted.headers.get("x-ucloud-request-uuid")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await accepted.json()).toMatchObject({ RetCode: 0 });
    for (const changed of [{ Signature: Signature.replace(/4$/, "5") }, { Extra: "1" }]) {
      const answer = await post(url, { ...all, ...changed });
      expect(await answer.json()).toEqual({ RetCode: 171, Message: "Signature VerifyAC Error" });
    }
  });

  test("lists each host of a project once, 20 on a page by default, and finds by id those of the region and project", async () => {
    const simulator = await start({ hosts: 1500 });
    const { control } = simulator;
    expect(await listAll(simulator)).toEqual(control.hosts().map(({ id }) => id));
    expect(new Set(control.hosts().map(({ id }) => id)).size).toBe(1500);
    expect((await call(simulator, { Action: LIST.Action, Region: "cn-bj2" })).UHostSet).toHaveLength(20);
    const [{ id = "" } = {}] = control.hosts({ region: "cn-bj2" });
    const [other] = control.hosts({ region: "hk" });
    const ids = { "UHostIds.0": other?.id ?? "", "UHostIds.1": id, "UHostIds.2": "uhost-1zzzzzzz" };
    expect(await call(simulator, { ...LIST, ...ids })).toMatchObject({ TotalCount: 1, UHostSet: [control.host(id)] });
  });
});

describe("the simulator's control", () => {
  test("gives the same hosts for the same seed, and other hosts for another", async () => {
    const [one, same, other] = await Promise.all([start({ seed: 7 }), start({ seed: 7 }), start({ seed: 8 })]);
    expect(await call(one, LIST)).toEqual(await call(same, LIST));
    expect(await listAll(other)).not.toEqual(expect.arrayContaining((await listAll(one)).slice(0, 1)));
  });
});
