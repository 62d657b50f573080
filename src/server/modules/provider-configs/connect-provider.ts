import { invalidField } from "../../platform/errors.ts";
import type { CallPriority } from "../../provider/call-gate.ts";
import {
  type ClientLimits,
  HttpProviderClient,
  type ObservedCall,
  type ProviderClient,
} from "../../provider/client.ts";
import { RET_CODES } from "../../provider/failure.ts";
import { openPrivateKey } from "./credentials.ts";
import type { ProviderDeps } from "./deps.ts";
import type { ConfigRow } from "./entity.ts";

interface ConnectOptions {
  readonly priority: CallPriority;
  readonly limits?: Partial<ClientLimits> | undefined;
  readonly onCall?: (call: ObservedCall) => void;
}

/**
 * A client with the configuration's key. All clients of one key share its gate, and are counted.
 */
export function connectProvider(
  deps: ProviderDeps,
  { id, apiUrl, publicKey, privateKeySealed }: ConfigRow,
  { priority, limits, onCall }: ConnectOptions,
): ProviderClient {
  return new HttpProviderClient({
    apiUrl,
    publicKey,
    privateKey: openPrivateKey(deps, id, privateKeySealed),
    dispatcher: deps.outbound.dispatcher,
    gate: deps.callGates.of({ apiUrl, publicKey }),
    priority,
    clock: deps.clock,
    log: deps.log,
    limits,
    onCall(call) {
      const { action, outcome, retCode } = call;
      deps.metrics.providerCalls.inc({ action, outcome, ret_code: retCodeLabel(retCode) });
      onCall?.(call);
    },
  });
}

/** Throws INVALID_INPUT on `apiUrl` when it must not be called. */
export async function assertCallable(
  { outbound }: Pick<ProviderDeps, "outbound">,
  apiUrl: string,
): Promise<void> {
  const verdict = await outbound.checkUrl(apiUrl);
  if (!verdict.ok) throw invalidField("apiUrl", verdict.message);
}

/** Unknown codes share one label: the provider chooses their number. */
function retCodeLabel(retCode: number | null): string {
  if (retCode === null) return "none";
  return retCode === 0 || RET_CODES.has(retCode) ? String(retCode) : "other";
}
