import type { Clock, Elapsed } from "../../src/server/core/clock.ts";

/** The present, which a test may put forward. */
export interface MovableClock extends Clock {
  /** What has passed; a step does not count. */
  readonly elapsed: Elapsed;
  /** So many seconds pass. */
  forward(seconds: number): void;
  /** The wall clock is set by so many seconds, forward or backward. */
  step(seconds: number): void;
}

export function movableClock(): MovableClock {
  let passed = 0;
  let stepped = 0;
  return {
    now: () => Math.floor(Date.now() / 1000) + passed + stepped,
    elapsed: () => performance.now() / 1000 + passed,
    forward(seconds) {
      passed += seconds;
    },
    step(seconds) {
      stepped += seconds;
    },
  };
}
