import type { Dispatcher } from "undici";
import type { CallGate } from "../platform/call-gates.ts";
import type { Clock } from "../platform/clock.ts";
import { parseEndpoint } from "../platform/egress/address.ts";
import type { Log } from "../platform/log.ts";
import { exchange, type ProviderAnswer } from "./exchange.ts";
import { type CallOutcome, isRetryable, ProviderFailure, pausedFailure } from "./failure.ts";
import { type FlatParams, flattenParams, type Params, signParams } from "./sign.ts";

export interface ClientLimits {
  /** One attempt, from the connection to the last byte. */
  readonly attemptTimeoutMs: number;
  /** First back-off; four times as much after throttling. */
  readonly retryBaseMs: number;
  /** Attempts after the first; a throttled call may have twice as many. */
  readonly maxRetries: number;
  /** The longest pause of the key that a call waits for. */
  readonly maxPauseMs: number;
}

export interface ObservedCall {
  readonly action: string;
  readonly outcome: CallOutcome;
  /** Null when the provider gave no answer. */
  readonly retCode: number | null;
  readonly ms: number;
}

export const DEFAULT_LIMITS: ClientLimits = {
  attemptTimeoutMs: 20_000,
  retryBaseMs: 500,
  maxRetries: 3,
  maxPauseMs: 60_000,
};

const MAX_BACKOFF_MS = 8_000;
const THROTTLE_FACTOR = 4;
/** A longer `Retry-After` is cut to this. */
const MAX_RETRY_AFTER_MS = 60_000;

export interface ProviderClientOptions {
  readonly apiUrl: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly dispatcher: Dispatcher;
  readonly gate: CallGate;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<ClientLimits> | undefined;
  readonly onCall?: (call: ObservedCall) => void;
}

export interface DatedAnswer extends ProviderAnswer {
  readonly requestedAt: number;
}

export interface ProviderClient {
  /** For reads only: a failed call is repeated. @throws ProviderFailure, or the reason of the signal that ended the call. */
  call(
    action: string,
    params?: Params,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<DatedAnswer>;
}

export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { dispatcher, gate, clock, log, onCall } = options;
  const limits: ClientLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const endpoint = parseEndpoint(options.apiUrl);

  function sign(action: string, params: Params): FlatParams {
    const flat = flattenParams({ ...params, Action: action, PublicKey: options.publicKey });
    return { ...flat, Signature: signParams(flat, options.privateKey) };
  }

  /** One attempt. Its failure is returned, so that only the gate's own failures are thrown. */
  async function attempt(params: FlatParams, retry: number, signal: AbortSignal) {
    if (endpoint === null) return new ProviderFailure("address-refused");
    const startedAt = clock.monotonic();
    const requestedAt = clock.now();
    const report = (
      outcome: CallOutcome,
      retCode: number | null,
      providerRequestId: string | null,
    ) => {
      const call = {
        action: String(params.Action),
        outcome,
        retCode,
        ms: Math.round(clock.monotonic() - startedAt),
      };
      log.debug({ ...call, region: params.Region, providerRequestId }, "provider call");
      if (outcome === "tls")
        log.warn({ action: call.action }, "the provider's certificate was refused");
      onCall?.(call);
    };
    try {
      const answer = await exchange(params, { ...limits, endpoint, dispatcher, signal });
      report("ok", 0, answer.requestId);
      return { ...answer, requestedAt };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) {
        report(signal.aborted ? "aborted" : "bug", null, null);
        throw error;
      }
      report(error.kind, error.retCode, error.requestId);
      pauseKey(error, retry);
      return error;
    }
  }

  function pauseKey(failure: ProviderFailure, retry: number): void {
    const isThrottled = failure.kind === "throttled";
    if (!isThrottled && (failure.retryAfterMs === null || !isRetryable(failure))) return;
    const own = isThrottled ? backoffMs(limits.retryBaseMs * THROTTLE_FACTOR, retry) : 0;
    const ms = Math.max(own, Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
    gate.pauseUntil(clock.monotonic() + ms, (leftMs) => pausedFailure(failure, leftMs));
  }

  return {
    async call(action, params = {}, { signal = new AbortController().signal } = {}) {
      const signed = sign(action, params);
      for (let retry = 0; ; retry += 1) {
        const result = await gate.run(() => attempt(signed, retry, signal), {
          signal,
          maxPauseMs: limits.maxPauseMs,
        });
        if (!(result instanceof ProviderFailure)) return result;
        const retries = result.kind === "throttled" ? limits.maxRetries * 2 : limits.maxRetries;
        if (!isRetryable(result) || retry >= retries) throw result;
        if (result.kind !== "throttled")
          await clock.sleep(backoffMs(limits.retryBaseMs, retry), signal);
      }
    },
  };
}

/** Milliseconds before retry number `retry` (0…): doubling from the base, with up to half as much again at random. */
function backoffMs(baseMs: number, retry: number): number {
  return Math.min(baseMs * 2 ** retry, MAX_BACKOFF_MS) * (1 + Math.random() / 2);
}
