import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, authenticate } from "./accounts.ts";
import type { ActionCall } from "./actions/action.ts";
import { describeUHostInstance, requestedIds } from "./actions/describe-uhost-instance.ts";
import { getProjectList } from "./actions/get-project-list.ts";
import { getRegion } from "./actions/get-region.ts";
import { effectOf } from "./apply-fault.ts";
import type { CallLog } from "./call-log.ts";
import type { FaultRules } from "./call-rules.ts";
import type { HoldGate } from "./hold-gate.ts";
import { envelope, type Outcome, refuse } from "./outcome.ts";
import type { createRateLimit } from "./rate-limit.ts";
import { jsonReply, type Reply, sendReply } from "./reply.ts";
import { type ProviderRequest, readProviderRequest } from "./request.ts";
import type { World } from "./world.ts";

/** What the gateway needs to answer one call. */
export interface Gateway {
  world: World;
  accounts: ReadonlyMap<string, Account>;
  faults: FaultRules;
  holds: HoldGate;
  calls: CallLog;
  rateLimit: ReturnType<typeof createRateLimit>;
  pageDrift: number;
  /** How long the next call takes, in ms. */
  latency(): number;
}

/**
 * Answers one provider call: who is it → too many? → held? → faults → action.
 * Calls with a wrong signature are answered as such whatever faults are set: a fault must not hide a bad signer.
 */
export async function answerProviderCall(
  gateway: Gateway,
  http: { request: IncomingMessage; response: ServerResponse; url: URL },
  signal: AbortSignal,
): Promise<void> {
  const request = await readProviderRequest(http.request, http.url);
  const { params } = request;
  const call = gateway.calls.begin(describeCall(request));
  const finish = () => call.end();
  http.response.once("close", finish);

  const account = authenticate(gateway.accounts, request);
  await gateway.holds.pass(params, signal);
  const ms = gateway.latency();
  if (ms > 0) await sleep(ms, undefined, { signal });
  if ("retCode" in account) {
    call.decided(account.retCode);
    await sendReply(http.response, toJson(account, undefined), signal, finish);
    return;
  }
  if (!gateway.rateLimit.admits(account.publicKey)) {
    call.decided(153);
    await sendReply(http.response, toJson(refuse(153, "Request was throttled"), params.get("Action")), signal, finish);
    return;
  }
  const active = gateway.faults.hit(params);
  call.hitBy(active.map(({ fault }) => fault.kind));
  const effects = active.map(effectOf);
  const delay = effects.reduce((sum, effect) => sum + (effect.delayMs ?? 0), 0);
  if (delay > 0) await sleep(delay, undefined, { signal });

  const patchedParams = effects.reduce((now, effect) => effect.params?.(now) ?? now, params);
  const outcome =
    effects.find((effect) => effect.outcome !== undefined)?.outcome ??
    act({ params: patchedParams, account, world: gateway.world, pageDrift: gateway.pageDrift });
  call.decided(outcome.retCode);
  const plain = envelope(outcome, params.get("Action"));
  const body = outcome.retCode === 0 ? effects.reduce((now, effect) => effect.body?.(now) ?? now, plain) : plain;
  const text = effects.reduce((now, effect) => effect.text?.(now) ?? now, JSON.stringify(body));
  const reply = effects.find((effect) => effect.reply !== undefined)?.reply?.(text) ?? jsonReply(text);
  await sendReply(http.response, reply, signal, finish);
}

function act(call: ActionCall): Outcome {
  const action = call.params.get("Action") ?? "";
  switch (action) {
    case "GetRegion":
      return getRegion(call);
    case "GetProjectList":
      return getProjectList(call);
    case "DescribeUHostInstance":
      return describeUHostInstance(call);
    default:
      return refuse(161, `Action [${action}] not found`);
  }
}

function toJson(outcome: Outcome, action: string | undefined): Reply {
  return jsonReply(JSON.stringify(envelope(outcome, action)));
}

function describeCall({ params, method, encoding }: ProviderRequest) {
  return {
    action: params.get("Action") ?? "",
    region: params.get("Region"),
    projectId: params.get("ProjectId"),
    offset: params.get("Offset"),
    limit: params.get("Limit"),
    ids: requestedIds(params),
    publicKey: params.get("PublicKey"),
    method,
    encoding,
  };
}
