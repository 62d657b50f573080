import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { act } from "./actions.ts";
import { effectOf } from "./apply-fault.ts";
import { type Account, authenticate, createAccounts } from "./auth.ts";
import { type CallLog, createCallLog } from "./call-log.ts";
import { createFaultRules, type FaultRules } from "./call-rules.ts";
import { createHoldGate, type HoldGate } from "./hold-gate.ts";
import { jsonReply, readParams, sendReply } from "./http-io.ts";
import type { Settings } from "./options.ts";
import { toBody } from "./outcome.ts";
import { createRandom, type Random } from "./random.ts";
import { World } from "./world.ts";

type Params = ReadonlyMap<string, string>;

/** The state of a simulation. */
export interface Gateway {
  world: World;
  accounts: readonly Account[];
  faults: FaultRules;
  holds: HoldGate;
  calls: CallLog;
  random: Random;
  latencyMs: number;
  jitterMs: number;
}

export function createGateway(settings: Settings): Gateway {
  const world = new World(settings);
  return {
    world,
    accounts: createAccounts(world.projects),
    faults: createFaultRules(settings.seed),
    holds: createHoldGate(),
    calls: createCallLog(),
    random: createRandom(settings.seed),
    latencyMs: settings.latencyMs,
    jitterMs: settings.jitterMs,
  };
}

/**
 * Answers a provider call: signature, hold, latency, faults, action. A fault never hides a wrong
 * signature.
 */
export async function answerProviderCall(
  gateway: Gateway,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  signal: AbortSignal,
): Promise<void> {
  const { world, random } = gateway;
  const params = await readParams(request);
  const call = gateway.calls.begin(params);
  response.once("close", call.end);
  const sending = { signal, onEnd: call.end };

  const caller = authenticate(gateway.accounts, params);
  await gateway.holds.pass(params, signal);
  const latency = gateway.latencyMs + random.next() * gateway.jitterMs;
  if (latency > 0) await sleep(latency, undefined, { signal });
  if ("refused" in caller) {
    call.record.retCode = caller.refused.retCode;
    return await sendReply(response, jsonReply(JSON.stringify(toBody(caller.refused))), sending);
  }

  const faults = gateway.faults.hit(params);
  call.record.faults = faults.map(({ fault }) => fault.kind);
  const effects = faults.map(effectOf);
  const delay = effects.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0);
  if (delay > 0) await sleep(delay, undefined, { signal });

  // Each step of the call passes through the faults that change it, in their order.
  const patched = effects.reduce<Params>((now, effect) => effect.params?.(now) ?? now, params);
  const refusal = effects.find(({ outcome }) => outcome !== undefined)?.outcome;
  const outcome =
    refusal ?? act({ params: patched, account: caller.account, world, random: gateway.random });
  call.record.retCode = outcome.retCode;

  const plain = toBody(outcome, params.get("Action"));
  const isSuccess = outcome.retCode === 0;
  const body = isSuccess
    ? effects.reduce((now, effect) => effect.body?.(now) ?? now, plain)
    : plain;
  const text = effects.reduce((now, effect) => effect.text?.(now) ?? now, JSON.stringify(body));

  const replacing = effects.find(({ reply }) => reply !== undefined);
  const reply = replacing?.reply?.(text) ?? jsonReply(text);
  await sendReply(response, reply, sending);
}
