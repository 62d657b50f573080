import { setTimeout as delay } from "node:timers/promises";

export interface Clock {
  /** The present in Unix seconds. */
  now(): number;
  /** Milliseconds since a fixed point, for durations; never goes back. */
  monotonic(): number;
  /** Waits `ms` milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * How far the clocks of two processes, or of one process before and after it was set, may differ.
 */
export const MAX_CLOCK_SKEW_SECONDS = 60;

/**
 * Whether a stored time, in Unix seconds, lies further ahead than clocks may differ. Such a time
 * was written while a clock was ahead, by hours or by years, before it was set back. It says nothing
 * about when something happened, so it counts as unknown wherever it would decide: otherwise a
 * sign-in would be refused, an observation would stay the newest, and an alert would stay silent for
 * as long as that clock was ahead. Statements compare with `now + MAX_CLOCK_SKEW_SECONDS`.
 *
 * Times from the database's clock need this, too: on one machine both clocks are the same.
 */
export function isFromFuture(storedAt: number, now: number): boolean {
  return storedAt > now + MAX_CLOCK_SKEW_SECONDS;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
