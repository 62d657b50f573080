import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { type ProviderFailure, turnedAway } from "./failure.ts";

/** What is going on in the name of one key: running and queued exchanges, and how many may run at once just now. */
export interface Load {
  readonly active: number;
  readonly waiting: number;
  readonly concurrency: number;
}

/** How long the provider may turn calls away before somebody waits no longer, and since when they ask, as `performance.now()` tells it. */
export interface Patience {
  readonly ms: number;
  readonly since: number;
}

export interface Pace {
  /**
   * Runs the task when there is room and no pause; rejects with the signal's reason as soon as it is aborted, queued or not.
   * @throws ProviderFailure when the pause outlasts the asker's patience.
   */
  run<T>(task: () => Promise<T>, options: { readonly signal: AbortSignal; readonly patience: Patience }): Promise<T>;
  /** The provider turned a task away: everybody pauses. */
  holdOff(failure: ProviderFailure, pauseMs: number): void;
  /** It throttled a task begun at `startedAt` (`performance.now()`): fewer run from now on. */
  slowDown(startedAt: number): void;
  /** A task went well; enough of them in a row win back one place. */
  speedUp(): void;
  load(): Load;
}

const SUCCESSES_PER_STEP = 10;
/** What turns calls away so long after the pause for the last one, in ms, does it for another reason. */
const FORGOTTEN_AFTER = 30_000;

/** The provider turns calls away. Times as `performance.now()` tells them. */
interface Refusal {
  readonly failure: ProviderFailure;
  readonly since: number;
  readonly pausedUntil: number;
}

/** By the way out, which a process has one of, and the key. */
const paces = new WeakMap<object, Map<string, Pace>>();

/**
 * The pace of everything that goes out this way in the name of one key, for the provider counts by key: a sync, a connection test and
 * somebody who asks for one host share it. The first to ask says how many may run at once.
 */
export function paceOf(wayOut: object, key: string, maxConcurrency: number): Pace {
  const ofWay = paces.get(wayOut) ?? new Map<string, Pace>();
  paces.set(wayOut, ofWay);
  const pace = ofWay.get(key) ?? createPace(maxConcurrency);
  ofWay.set(key, pace);
  return pace;
}

/** Shares the provider's patience among all calls that keep to it. */
export function createPace(maxConcurrency: number): Pace {
  const limit = pLimit(maxConcurrency);
  let refusal: Refusal | null = null;
  let slowedAt = Number.NEGATIVE_INFINITY;
  let successes = 0;

  /** Milliseconds of the pause that are left. @throws ProviderFailure when that is longer than anybody wants to wait. */
  function pauseLeft(patience: Patience): number {
    if (refusal === null) return 0;
    const { failure, since, pausedUntil } = refusal;
    const left = pausedUntil - performance.now();
    if (left > 0 && pausedUntil - Math.max(since, patience.since) > patience.ms) throw turnedAway(failure, left);
    return left;
  }

  async function waitForPause(signal: AbortSignal, patience: Patience): Promise<void> {
    for (let left = pauseLeft(patience); left > 0; left = pauseLeft(patience)) await pause(left, signal);
  }

  return {
    run: async (task, { signal, patience }) => {
      // Before the wait for a place too: those who have one are waiting in this pause.
      pauseLeft(patience);
      const work = limit(async () => {
        signal.throwIfAborted();
        await waitForPause(signal, patience);
        return await task();
      });
      return await untilAborted(work, signal);
    },
    holdOff(failure, pauseMs) {
      const now = performance.now();
      const isSame = refusal !== null && now < refusal.pausedUntil + FORGOTTEN_AFTER;
      const since = isSame ? (refusal?.since ?? now) : now;
      refusal = { failure, since, pausedUntil: Math.max(refusal?.pausedUntil ?? 0, now + pauseMs) };
      successes = 0;
    },
    slowDown(startedAt) {
      // Tasks that were already on their way when we slowed down are the same event, not a new one.
      if (startedAt < slowedAt) return;
      slowedAt = performance.now();
      limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
    },
    speedUp() {
      // What was under way when the pause began says nothing about its end.
      if (refusal !== null && performance.now() >= refusal.pausedUntil) refusal = null;
      successes += 1;
      if (successes < SUCCESSES_PER_STEP || limit.concurrency >= maxConcurrency) return;
      successes = 0;
      limit.concurrency += 1;
    },
    load: () => ({ active: limit.activeCount, waiting: limit.pendingCount, concurrency: limit.concurrency }),
  };
}

/** Waits; rejects with the signal's own reason when it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
