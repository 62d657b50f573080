import { pino } from "pino";
import type { Clock } from "../../src/server/platform/clock.ts";
import {
  createOutboundGuard,
  type OutboundGuardOptions,
} from "../../src/server/platform/egress/guard.ts";
import { createCallGates } from "../../src/server/provider/call-gate.ts";
import {
  type ClientLimits,
  HttpProviderClient,
  type ObservedCall,
} from "../../src/server/provider/client.ts";
import { ProviderFailure } from "../../src/server/provider/failure.ts";
import { manualClock } from "../harness/clocks.ts";
import { type Answer, sendJson, startGateway } from "../harness/fake-gateway.ts";

export const PUBLIC_KEY = "marker-public-key";
export const PRIVATE_KEY = "marker-private-key";
export const OK = { RetCode: 0, Action: "GetRegionResponse", Regions: [] };

interface StartOptions extends Partial<OutboundGuardOptions> {
  readonly limits?: Partial<ClientLimits>;
  /** By default every pause ends at once. */
  readonly clock?: Clock;
}

/** A client that may call this address and keeps what it reported and logged. */
export function startClient(apiUrl: string, options: StartOptions = {}) {
  const { clock = manualClock({ skipSleeps: true }), limits, ...guardOptions } = options;
  const guard = createOutboundGuard({ allowedOrigins: [new URL(apiUrl).origin], ...guardOptions });
  const gate = createCallGates(clock).of({ apiUrl, publicKey: PUBLIC_KEY });
  const calls: ObservedCall[] = [];
  const lines: string[] = [];
  const client = new HttpProviderClient({
    apiUrl,
    publicKey: PUBLIC_KEY,
    privateKey: PRIVATE_KEY,
    dispatcher: guard.dispatcher,
    gate,
    priority: "person",
    clock,
    log: pino({ level: "debug", base: null }, { write: (line: string) => lines.push(line) }),
    limits: { attemptTimeoutMs: 5_000, ...limits },
    onCall: (call) => calls.push(call),
  });
  return { client, gate, calls, lines, [Symbol.asyncDispose]: () => guard[Symbol.asyncDispose]() };
}

/** A JSON body, a text, or an HTTP status with or without one of them. */
export type Reply =
  | Record<string, unknown>
  | string
  | Buffer
  | number
  | readonly [status: number, body: string];

/**
 * A gateway, and a client that calls it. Replies are sent in order, the last one again and again.
 */
export async function serve(answer: Answer | readonly Reply[], options: StartOptions = {}) {
  const gateway = await startGateway(typeof answer === "function" ? answer : inOrder(answer));
  const started = startClient(gateway.origin, options);
  return {
    ...started,
    gateway,
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
    },
  };
}

function inOrder(replies: readonly Reply[]): Answer {
  return (response, _call, number) => {
    const reply = replies[number - 1] ?? replies.at(-1);
    if (typeof reply === "number") response.writeHead(reply).end("<html>busy</html>");
    else if (Array.isArray(reply)) response.writeHead(reply[0]).end(reply[1]);
    else if (typeof reply === "string" || Buffer.isBuffer(reply)) response.end(reply);
    else sendJson(response, reply);
  };
}

export async function providerFailureOf(call: Promise<unknown>): Promise<ProviderFailure> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!(error instanceof ProviderFailure))
    throw new Error("expected a ProviderFailure", { cause: error });
  return error;
}
