import type { Dispatcher } from "undici";
import type { Clock } from "../platform/clock.ts";
import { parseEndpoint } from "../platform/egress/address.ts";
import type { Log } from "../platform/log.ts";
import type { CallGate, CallPriority } from "./call-gate.ts";
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
  /** Of all its calls. */
  readonly priority: CallPriority;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<ClientLimits> | undefined;
  readonly onCall?: (call: ObservedCall) => void;
}

export interface DatedAnswer extends ProviderAnswer {
  /** When the answered attempt was sent, in Unix seconds. */
  readonly requestedAt: number;
}

export interface ProviderClient {
  /**
   * For reads only: a failed call is repeated. @throws ProviderFailure, or the reason of the signal
   * that ended the call.
   */
  call(action: string, params?: Params, options?: CallOptions): Promise<DatedAnswer>;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

type Attempt =
  | { readonly kind: "answered"; readonly answer: DatedAnswer }
  | { readonly kind: "failed"; readonly failure: ProviderFailure };

/**
 * A client for one key.
 *
 * Every attempt passes the key's gate, which bounds how many are under way and holds all of them
 * back during a pause. A throttled call does not wait by itself: it pauses the whole key, so that
 * the calls beside it do not spend their retries on the same limit, and then gets its next turn
 * from the gate. A call that failed for another reason waits outside the gate and takes no slot
 * meanwhile.
 */
export class HttpProviderClient implements ProviderClient {
  readonly #options: ProviderClientOptions;
  readonly #limits: ClientLimits;
  readonly #endpoint: URL | null;

  constructor(options: ProviderClientOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#endpoint = parseEndpoint(options.apiUrl);
  }

  async call(
    action: string,
    params: Params = {},
    { signal = new AbortController().signal }: CallOptions = {},
  ): Promise<DatedAnswer> {
    const { gate, priority, clock } = this.#options;
    const { maxPauseMs, retryBaseMs } = this.#limits;
    const signed = this.#sign(action, params);

    for (let retry = 0; ; retry += 1) {
      const attempt = () => this.#attempt(signed, retry, signal);
      const result = await gate.run(attempt, { priority, signal, maxPauseMs });
      if (result.kind === "answered") return result.answer;

      const { failure } = result;
      if (this.#isLastAttempt(failure, retry)) throw failure;
      // The gate makes a throttled call wait.
      if (failure.kind !== "throttled") await clock.sleep(backoffMs(retryBaseMs, retry), signal);
    }
  }

  #sign(action: string, params: Params): FlatParams {
    const { publicKey, privateKey } = this.#options;
    const flat = flattenParams({ ...params, Action: action, PublicKey: publicKey });
    return { ...flat, Signature: signParams(flat, privateKey) };
  }

  /** Its failure is returned, so that what the gate throws are only the gate's own failures. */
  async #attempt(params: FlatParams, retry: number, signal: AbortSignal): Promise<Attempt> {
    const { clock, dispatcher } = this.#options;
    const endpoint = this.#endpoint;
    if (endpoint === null) {
      return { kind: "failed", failure: new ProviderFailure("address-refused") };
    }

    const report = this.#observe(params);
    const requestedAt = clock.now();
    try {
      const answer = await exchange(params, { ...this.#limits, endpoint, dispatcher, signal });
      report("ok", { retCode: 0, requestId: answer.requestId });
      return { kind: "answered", answer: { ...answer, requestedAt } };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) {
        report(signal.aborted ? "aborted" : "bug", { retCode: null, requestId: null });
        throw error;
      }
      report(error.kind, error);
      this.#pauseKey(error, retry);
      return { kind: "failed", failure: error };
    }
  }

  /** Begins to time an attempt. What it returns is called with the outcome. */
  #observe(params: FlatParams) {
    const { clock, log, onCall } = this.#options;
    const action = String(params.Action);
    const startedAt = clock.monotonic();
    return (
      outcome: CallOutcome,
      { retCode, requestId }: Pick<ProviderFailure, "retCode" | "requestId">,
    ): void => {
      const call = { action, outcome, retCode, ms: Math.round(clock.monotonic() - startedAt) };
      log.debug({ ...call, region: params.Region, providerRequestId: requestId }, "provider call");
      if (outcome === "tls") log.warn({ action }, "the provider's certificate was refused");
      onCall?.(call);
    };
  }

  /** After throttling, or when the provider says how long to wait. */
  #pauseKey(failure: ProviderFailure, retry: number): void {
    const { clock, gate } = this.#options;
    const isThrottled = failure.kind === "throttled";
    const isAskedToWait = failure.retryAfterMs !== null && isRetryable(failure);
    if (!isThrottled && !isAskedToWait) return;

    const throttleBaseMs = this.#limits.retryBaseMs * THROTTLE_FACTOR;
    const backoff = isThrottled ? backoffMs(throttleBaseMs, retry) : 0;
    const asked = Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    const until = clock.monotonic() + Math.max(backoff, asked);
    gate.pauseUntil(until, (leftMs) => pausedFailure(failure, leftMs));
  }

  #isLastAttempt(failure: ProviderFailure, retry: number): boolean {
    const { maxRetries } = this.#limits;
    const retries = failure.kind === "throttled" ? maxRetries * 2 : maxRetries;
    return !isRetryable(failure) || retry >= retries;
  }
}

/**
 * Milliseconds before retry number `retry` (0…): doubling from the base, with up to half as much
 * again at random.
 */
function backoffMs(baseMs: number, retry: number): number {
  const doubled = Math.min(baseMs * 2 ** retry, MAX_BACKOFF_MS);
  return doubled * (1 + Math.random() / 2);
}
