import { type Clock, systemClock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { parseEndpoint } from "./address.ts";
import { exchange, type ProviderAnswer } from "./exchange.ts";
import { ProviderFailure, type ProviderFailureKind } from "./failure.ts";
import type { OutboundGuard } from "./guard.ts";
import { type Load, type Patience, paceOf, pause } from "./pace.ts";
import type { BodyLimits } from "./read-body.ts";
import { backoffMs, isReadAction, MAX_RETRY_AFTER_MS, retryAdvice } from "./retry.ts";
import { type FlatParams, flattenParams, type ParamValue, signParams } from "./sign.ts";

export type CallOutcome = "ok" | "aborted" | "bug" | ProviderFailureKind;

interface CallResult {
  readonly outcome: CallOutcome;
  /** Null when the provider gave no answer. */
  readonly retCode: number | null;
}

/** One exchange with the provider, retries counted singly. */
export interface ObservedCall extends CallResult {
  readonly action: string;
  readonly ms: number;
}

/** What the tries of one call share. */
interface CallState {
  retry: number;
  timeLeftMs: number;
  /** What the last try came to. */
  failure: ProviderFailure | null;
}

export interface ClientLimits extends BodyLimits {
  /** Time in exchanges with the provider, all tries of one call together; waiting for a place and back-off come on top. */
  readonly callTimeoutMs: number;
  /** First back-off; four times as much after throttling. */
  readonly retryBaseMs: number;
  /** Tries after the first; a throttled call may have twice as many. */
  readonly maxRetries: number;
  /** How long the provider may turn this key's calls away, throttled or with a Retry-After, before a call is given up. */
  readonly patienceMs: number;
  readonly concurrency: number;
}

export interface ProviderClientOptions {
  readonly apiUrl: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly guard: Pick<OutboundGuard, "dispatcher">;
  readonly log: Log;
  /** Ends every call of this client. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ClientLimits>;
  readonly clock?: Clock;
  readonly onCall?: (call: ObservedCall) => void;
}

export interface DatedAnswer extends ProviderAnswer {
  /** When the try began that was answered, in Unix seconds: what it says may be as old as that, and no older. */
  readonly askedAt: number;
}

export interface ProviderClient {
  /**
   * Resolves for RetCode 0 only. Reads (`Get…`, `Describe…`, `List…`) are retried, writes never.
   * @throws ProviderFailure, or the reason of the signal that ended the call.
   */
  call(
    action: string,
    params?: Readonly<Record<string, ParamValue>>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<DatedAnswer>;
  load(): Load;
  readonly log: Log;
}

/** Of a call's time, so that a provider that hangs once can still be asked again. */
const FIRST_TRY_SHARE = 2 / 3;

export const DEFAULT_LIMITS: ClientLimits = {
  callTimeoutMs: 30_000,
  maxBodyBytes: 8 * 1024 * 1024,
  maxReadingBytes: 160 * 1024 * 1024,
  retryBaseMs: 500,
  maxRetries: 3,
  patienceMs: 180_000,
  concurrency: 5,
};

/** A client of one configuration, for one run or request: its patience begins now. Nothing to dispose of: sockets and pace are the guard's. */
export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { guard, log, onCall, clock = systemClock } = options;
  const limits: ClientLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const endpoint = parseEndpoint(options.apiUrl);
  const patience: Patience = { ms: limits.patienceMs, since: performance.now() };
  const pace = paceOf(guard.dispatcher, `${options.apiUrl} ${options.publicKey}`, limits.concurrency);

  function sign(action: string, params: Readonly<Record<string, ParamValue>>): FlatParams {
    const flat = flattenParams({ ...params, Action: action, PublicKey: options.publicKey });
    return { ...flat, Signature: signParams(flat, options.privateKey) };
  }

  async function attempt(params: FlatParams, state: CallState, signal: AbortSignal): Promise<DatedAnswer> {
    if (endpoint === null) throw new ProviderFailure("address-refused");
    const startedAt = performance.now();
    const askedAt = clock.now();
    try {
      const { dispatcher } = guard;
      const share = state.retry === 0 && limits.maxRetries > 0 ? FIRST_TRY_SHARE : 1;
      const timeoutMs = Math.ceil(state.timeLeftMs * share);
      const answer = await exchange(params, { ...limits, endpoint, dispatcher, signal, timeoutMs });
      report(params, startedAt, { outcome: "ok", retCode: 0 }, answer.requestId);
      pace.speedUp();
      return { ...answer, askedAt };
    } catch (error) {
      state.timeLeftMs -= performance.now() - startedAt;
      const failure = error instanceof ProviderFailure ? error : null;
      state.failure = failure;
      const outcome = failure?.kind ?? (signal.aborted ? "aborted" : "bug");
      report(params, startedAt, { outcome, retCode: failure?.retCode ?? null }, failure?.requestId ?? null);
      if (failure !== null) keepAway(failure, state, startedAt);
      throw error;
    }
  }

  function keepAway(failure: ProviderFailure, { retry }: CallState, startedAt: number): void {
    const isThrottled = failure.kind === "throttled";
    if (!isThrottled && (failure.retryAfterMs === null || retryAdvice(failure) === "never")) return;
    const own = isThrottled ? backoffMs("slowly", retry, limits.retryBaseMs) : 0;
    pace.holdOff(failure, Math.max(own, Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
    if (isThrottled) pace.slowDown(startedAt);
  }

  function report(params: FlatParams, startedAt: number, result: CallResult, providerRequestId: string | null): void {
    const call = { action: String(params.Action), ...result, ms: Math.round(performance.now() - startedAt) };
    log.debug({ ...call, region: params.Region, providerRequestId }, "provider call");
    if (call.outcome === "tls") log.warn({ action: call.action }, "the provider's certificate was refused");
    onCall?.(call);
  }

  return {
    log,
    load: pace.load,
    async call(action, params = {}, { signal: own } = {}) {
      const signal = AbortSignal.any([options.signal, own].filter((given) => given !== undefined));
      const signed = sign(action, params);
      const state: CallState = { retry: 0, timeLeftMs: limits.callTimeoutMs, failure: null };

      for (; ; state.retry += 1) {
        try {
          return await pace.run(() => attempt(signed, state, signal), { signal, patience });
        } catch (error) {
          // What is not a try's own failure was turned away before it could be one.
          if (!(error instanceof ProviderFailure) || error !== state.failure || !isReadAction(action)) throw error;
          const advice = retryAdvice(error);
          const tries = advice === "slowly" ? limits.maxRetries * 2 : limits.maxRetries;
          if (advice === "never" || state.retry >= tries || state.timeLeftMs < 1) throw error;
          // A throttled call waits in the pause that it has just brought upon all calls with this key.
          if (advice === "soon") await pause(backoffMs(advice, state.retry, limits.retryBaseMs), signal);
        }
      }
    },
  };
}
