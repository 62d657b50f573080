import { pino } from "pino";
import {
  type ClientLimits,
  createProviderClient,
  type ObservedCall,
  type ProviderClient,
} from "../../src/server/provider/client.ts";
import { ProviderFailure } from "../../src/server/provider/failure.ts";
import { createOutboundGuard, type OutboundGuard } from "../../src/server/egress/guard.ts";

export const PUBLIC_KEY = "canary-public-key";
export const PRIVATE_KEY = "canary-private-key";
export const OK = { RetCode: 0, Action: "GetRegionResponse", Regions: [] };

export interface Bench extends AsyncDisposable {
  readonly client: ProviderClient;
  readonly guard: OutboundGuard;
  readonly calls: ObservedCall[];
  readonly lines: string[];
}

/** A client of a loopback gateway that backs off in milliseconds and remembers what it reported and logged. */
export function startClient(apiUrl: string, limits: Partial<ClientLimits> = {}, signal?: AbortSignal): Bench {
  const guard = createOutboundGuard({ allowedOrigins: [new URL(apiUrl).origin] });
  const calls: ObservedCall[] = [];
  const lines: string[] = [];
  const client = createProviderClient({
    apiUrl,
    publicKey: PUBLIC_KEY,
    privateKey: PRIVATE_KEY,
    guard,
    log: pino({ level: "debug", base: null }, { write: (line: string) => lines.push(line) }),
    limits: { retryBaseMs: 5, callTimeoutMs: 5_000, ...limits },
    onCall: (call) => calls.push(call),
    ...(signal === undefined ? {} : { signal }),
  });
  return { client, guard, calls, lines, [Symbol.asyncDispose]: () => guard[Symbol.asyncDispose]() };
}

export async function failureOf(call: Promise<unknown>): Promise<ProviderFailure> {
  const error = await call.then(
    () => "no error",
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderFailure)) throw new Error(`expected a ProviderFailure, got ${error}`);
  return error;
}
