import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";

/** What is going on in the name of one key: running and queued exchanges, and how many may run at once just now. */
export interface Load {
  readonly active: number;
  readonly waiting: number;
  readonly concurrency: number;
}

export interface Pace {
  /** Runs the task when there is room and no pause; rejects with the signal's reason as soon as it is aborted, queued or not. */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The provider throttled a task begun at `startedAt` (`performance.now()`): everybody pauses, fewer run afterwards. */
  slowDown(startedAt: number, pauseMs: number): void;
  /** A task went well; enough of them in a row win back one place. */
  speedUp(): void;
  load(): Load;
}

const SUCCESSES_PER_STEP = 10;

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
  let pausedUntil = 0;
  let slowedAt = Number.NEGATIVE_INFINITY;
  let successes = 0;

  async function waitForPause(signal: AbortSignal): Promise<void> {
    for (let left = pausedUntil - performance.now(); left > 0; left = pausedUntil - performance.now()) {
      await pause(left, signal);
    }
  }

  return {
    run: (task, signal) => {
      const work = limit(async () => {
        signal.throwIfAborted();
        await waitForPause(signal);
        return await task();
      });
      return untilAborted(work, signal);
    },
    slowDown(startedAt, pauseMs) {
      pausedUntil = Math.max(pausedUntil, performance.now() + pauseMs);
      successes = 0;
      // Tasks that were already on their way when we slowed down are the same event, not a new one.
      if (startedAt < slowedAt) return;
      slowedAt = performance.now();
      limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
    },
    speedUp() {
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
