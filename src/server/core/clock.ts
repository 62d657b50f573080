import { setTimeout as delay } from "node:timers/promises";

export interface Clock {
  /** The present in Unix seconds. */
  now(): number;
  /** Milliseconds since a fixed point, for durations; never goes back. */
  monotonic(): number;
  /** Waits `ms` milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
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
