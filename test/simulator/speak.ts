import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { MAIN_KEYS, type SimulatorOptions } from "../../src/simulator/options.ts";
import { type Simulator, startSimulator } from "../../src/simulator/server.ts";
import { signatureOf } from "../../src/simulator/signature.ts";

export const NOW = 1_790_000_000;
export const Answer = z.looseObject({
  RetCode: z.number(),
  Message: z.string().optional(),
  Action: z.string().optional(),
  TotalCount: z.number().optional(),
  UHostSet: z.array(z.looseObject({ UHostId: z.string() })).optional(),
});
export type Answer = z.infer<typeof Answer>;
export type Params = Record<string, string | number>;

export const LIST = { Action: "DescribeUHostInstance", Region: "cn-bj2", Limit: 100, Offset: 0 };

/** Until the test is over. */
export async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ hosts: 300, now: NOW, ...options });
  onTestFinished(() => simulator[Symbol.asyncDispose]());
  return simulator;
}

export function signed(params: Params, keys: { publicKey: string; privateKey: string } = MAIN_KEYS): Params {
  const all = { ...params, PublicKey: keys.publicKey };
  return { ...all, Signature: signatureOf(all, keys.privateKey) };
}

export function post(url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    redirect: "manual",
    ...(signal && { signal }),
  });
}

export async function call(
  simulator: Simulator,
  params: Params,
  keys?: { publicKey: string; privateKey: string },
): Promise<Answer> {
  return Answer.parse(await (await post(simulator.url, signed(params, keys))).json());
}

export async function listAll(simulator: Simulator, place: { Region: string; ProjectId: string }): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await call(simulator, { ...LIST, ...place, Offset: offset });
    expect(page.RetCode).toBe(0);
    ids.push(...(page.UHostSet ?? []).map((host) => host.UHostId));
    if (offset + 100 >= (page.TotalCount ?? 0)) return ids;
  }
}

export async function listWorld(simulator: Simulator): Promise<string[]> {
  const ids: string[] = [];
  for (const project of simulator.control.projects()) {
    for (const region of simulator.control.regions()) {
      ids.push(...(await listAll(simulator, { Region: region, ProjectId: project.id })));
    }
  }
  return ids;
}
