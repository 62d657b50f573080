import { type Clock, systemClock } from "../../src/server/core/clock.ts";

/** A clock controlled by a test. */
export interface MovableClock extends Clock {
  /** Advances time by seconds. */
  forward(seconds: number): void;
}

export function movableClock(): MovableClock {
  let passed = 0;
  return {
    ...systemClock,
    now: () => Math.floor(Date.now() / 1000) + passed,
    forward(seconds) {
      passed += seconds;
    },
  };
}
