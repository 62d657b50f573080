import { addAbortListener } from "node:events";
import pLimit from "p-limit";
import type { Clock } from "../platform/clock.ts";

/** Who waits for a provider call: a person in front of a screen, or a job. */
export type CallPriority = "person" | "background";

export interface TurnOptions {
  readonly priority: CallPriority;
  readonly signal: AbortSignal;
  readonly maxPauseMs: number;
}

/** Limits the provider calls of one key: how many at once, and a pause that all of them keep. */
export interface CallGate {
  /**
   * Rejects with the signal's reason, or with the pause's failure when more than `maxPauseMs` of
   * the pause are left.
   */
  run<T>(task: () => Promise<T>, options: TurnOptions): Promise<T>;
  /**
   * No task starts before `at` (`clock.monotonic()`). `failure` makes what a call fails with that
   * does not wait so long.
   */
  pauseUntil(at: number, failure: (leftMs: number) => Error): void;
}

export interface CallGates {
  of(key: { readonly apiUrl: string; readonly publicKey: string }): CallGate;
}

/** Calls of one key that may be under way at once. The provider publishes no rate limit. */
const CALLS_PER_KEY = 5;
/** How many of these take only calls that a person waits for. */
const KEPT_FOR_PEOPLE = 1;

interface Pause {
  readonly until: number;
  readonly failure: (leftMs: number) => Error;
}

export function createCallGates(clock: Clock): CallGates {
  const gates = new Map<string, CallGate>();
  return {
    of({ apiUrl, publicKey }) {
      const key = JSON.stringify([apiUrl, publicKey]);
      const gate = gates.get(key) ?? createCallGate({ concurrency: CALLS_PER_KEY, clock });
      gates.set(key, gate);
      return gate;
    },
  };
}

interface GateOptions {
  readonly concurrency: number;
  readonly clock: Clock;
}

type Turn<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "paused" };

/**
 * Bounds the calls of one key that are under way, and holds all of them back during a pause.
 *
 * A run makes thousands of calls, each of which may take the provider many seconds. So background
 * calls pass a narrower gate first, and only those that have passed it wait for a place among all
 * calls: one place is always free of them, and a person's call stands behind four of them at most.
 */
export function createCallGate({ concurrency, clock }: GateOptions): CallGate {
  const all = pLimit(concurrency);
  const background = pLimit(concurrency - KEPT_FOR_PEOPLE);
  let pause: Pause | null = null;

  function pauseLeft(): number {
    return pause === null ? 0 : pause.until - clock.monotonic();
  }

  /** A pause may be made longer while it is waited for. */
  async function waitForPause(signal: AbortSignal, maxPauseMs: number): Promise<void> {
    for (let left = pauseLeft(); left > 0; left = pauseLeft()) {
      if (left > maxPauseMs && pause !== null) throw pause.failure(left);
      await clock.sleep(left, signal);
    }
  }

  async function waitForPlace<Result>(
    priority: CallPriority,
    turn: () => Promise<Result>,
  ): Promise<Result> {
    return priority === "person" ? await all(turn) : await background(() => all(turn));
  }

  async function takeTurn<Result>(
    task: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Turn<Result>> {
    signal.throwIfAborted();
    // A pause that began meanwhile is waited for outside, so that waiting calls hold no slot.
    if (pauseLeft() > 0) return { kind: "paused" };
    return { kind: "done", result: await task() };
  }

  return {
    async run(task, { priority, signal, maxPauseMs }) {
      for (;;) {
        await waitForPause(signal, maxPauseMs);
        const placed = waitForPlace(priority, () => takeTurn(task, signal));
        const turn = await orAborted(placed, signal);
        if (turn.kind === "done") return turn.result;
      }
    },

    pauseUntil(at, failure) {
      if (at > (pause?.until ?? 0)) pause = { until: at, failure };
    },
  };
}

/**
 * The work's result, or the signal's reason as soon as it is aborted, even while the work waits for
 * a slot.
 */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _listener = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([work, aborted]);
}
