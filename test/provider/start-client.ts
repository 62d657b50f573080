import { pino } from "pino";
import { type Clock, systemClock } from "../../src/server/core/clock.ts";
import type { CallGate } from "../../src/server/core/ports.ts";
import { createOutboundGuard, type OutboundGuardOptions } from "../../src/server/egress/guard.ts";
import { createCallGates } from "../../src/server/provider/call-gate.ts";
import {
  type ClientLimits,
  createProviderClient,
  type ObservedCall,
  type ProviderClient,
} from "../../src/server/provider/client.ts";
import { ProviderFailure } from "../../src/server/provider/failure.ts";
import { type Answer, type FakeGateway, sendJson, startGateway } from "./fake-gateway.ts";

export const PUBLIC_KEY = "canary-public-key";
export const PRIVATE_KEY = "canary-private-key";
export const OK = { RetCode: 0, Action: "GetRegionResponse", Regions: [] };

interface StartOptions extends Partial<OutboundGuardOptions> {
  readonly limits?: Partial<ClientLimits>;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

export interface StartedClient extends AsyncDisposable {
  readonly client: ProviderClient;
  /** That of the key. */
  readonly gate: CallGate;
  /** A further client of the same key. */
  another(): ProviderClient;
  readonly calls: ObservedCall[];
  readonly lines: string[];
}

/** A client that may call this address, backs off in milliseconds and keeps what it reported and logged. */
export function startClient(apiUrl: string, options: StartOptions = {}): StartedClient {
  const { clock = systemClock, signal, limits, ...guardOptions } = options;
  const guard = createOutboundGuard({ allowedOrigins: [new URL(apiUrl).origin], ...guardOptions });
  const gate = createCallGates(clock).of({ apiUrl, publicKey: PUBLIC_KEY });
  const calls: ObservedCall[] = [];
  const lines: string[] = [];
  const another = () =>
    createProviderClient({
      apiUrl,
      publicKey: PUBLIC_KEY,
      privateKey: PRIVATE_KEY,
      dispatcher: guard.dispatcher,
      gate,
      clock,
      log: pino({ level: "debug", base: null }, { write: (line: string) => lines.push(line) }),
      signal,
      limits: { retryBaseMs: 5, attemptTimeoutMs: 5_000, ...limits },
      onCall: (call) => calls.push(call),
    });
  return { client: another(), gate, another, calls, lines, [Symbol.asyncDispose]: () => guard[Symbol.asyncDispose]() };
}

/** What each call is answered with, in order, the last one again and again: a body, or an HTTP status. */
type Answers = readonly (number | Record<string, unknown>)[];

/** A gateway, and a client that calls it. */
export async function serve(
  answer: Answer | Answers,
  options: StartOptions = {},
): Promise<StartedClient & { gateway: FakeGateway }> {
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

function inOrder(answers: Answers): Answer {
  return (response, _call, number) => {
    const answer = answers[number - 1] ?? answers.at(-1);
    if (typeof answer === "number") response.writeHead(answer).end("<html>busy</html>");
    else sendJson(response, answer);
  };
}

export async function failureOf(call: Promise<unknown>): Promise<ProviderFailure> {
  const error = await call.then(
    () => "no error",
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderFailure)) throw new Error(`expected a ProviderFailure, got ${error}`);
  return error;
}
