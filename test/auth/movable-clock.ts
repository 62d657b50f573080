import type { Clock } from "../../src/server/core/clock.ts";

/** A clock that a test moves. */
export interface MovableClock extends Clock {
  /** Seconds pass. */
  forward(seconds: number): void;
  /** The wall clock jumps by seconds, forward or backward. */
  step(seconds: number): void;
}

export function movableClock(): MovableClock {
  let passed = 0;
  let stepped = 0;
  return {
    now: () => Math.floor(Date.now() / 1000) + passed + stepped,
    forward(seconds) {
      passed += seconds;
    },
    step(seconds) {
      stepped += seconds;
    },
  };
}
