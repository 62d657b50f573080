import { setImmediate } from "node:timers/promises";
import { type Clock, systemClock } from "../../src/server/platform/clock.ts";
import type { DatabaseClock } from "../../src/server/platform/database/database-clock.ts";

export const START = 1_900_000_000;

/** Stands still until a test moves it. */
export function fixedClock(start = START) {
  return shiftedClock(() => start);
}

/** Follows the system's time. */
export function movableClock() {
  return shiftedClock(systemClock.now);
}

/** A database whose clock is always that of a process. */
export function databaseClockOf({ now }: Pick<Clock, "now">): DatabaseClock {
  return { now: async () => now() };
}

/** A clock that a test moves, in seconds. */
function shiftedClock(base: () => number) {
  let passed = 0;
  return {
    ...systemClock,
    now: () => base() + passed,
    forward(seconds: number) {
      passed += seconds;
    },
    /** Undoes every `forward`. */
    rewind() {
      passed = 0;
    },
  };
}

/**
 * Starts at 0 ms and moves only by `advance`; with `skipSleeps`, every sleep moves it to its own
 * end at once.
 */
export function manualClock({ skipSleeps = false } = {}) {
  const sleeps: number[] = [];
  const sleepers = new Map<() => void, number>();
  let present = 0;

  async function advanceTo(at: number): Promise<void> {
    present = Math.max(present, at);
    for (const [wake, until] of sleepers) if (until <= present) wake();
    await setImmediate();
  }

  return {
    /** The length of every sleep so far, in ms. */
    sleeps,
    now: () => START + Math.floor(present / 1000),
    monotonic: () => present,
    /** Moves time on, wakes who slept long enough, and lets them run. */
    advance: (ms: number) => advanceTo(present + ms),
    async sleep(ms: number, signal: AbortSignal) {
      const until = present + ms;
      sleeps.push(ms);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      sleepers.set(resolve, until);
      if (signal.aborted) abort();
      else if (skipSleeps) void setImmediate().then(() => advanceTo(until));
      try {
        await promise;
      } finally {
        sleepers.delete(resolve);
        signal.removeEventListener("abort", abort);
      }
    },
  };
}
