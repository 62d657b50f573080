import { onTestFinished } from "vitest";
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

export const LIST = { Action: "DescribeUHostInstance", Region: "cn-bj2", Limit: 100, Offset: 0 };

/** A simulator that stops after the test. */
export async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ hosts: 300, ...options });
  onTestFinished(() => simulator[Symbol.asyncDispose]());
  return simulator;
}

export function signed(params: Params, { publicKey, privateKey }: Params = MAIN_KEYS): Params {
  const all = { ...params, PublicKey: String(publicKey) };
  const texts = Object.entries(all).map(([name, value]) => [name, String(value)] as const);
  return { ...all, Signature: signatureOf(texts, String(privateKey)) };
}

export function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

export async function call({ url }: Simulator, params: Params, keys?: Params): Promise<z.infer<typeof Answer>> {
  return Answer.parse(await (await post(url, signed(params, keys))).json());
}
