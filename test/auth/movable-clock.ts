import type { Clock } from "../../src/server/core/clock.ts";

/** The present, which a test may put forward. */
export interface MovableClock extends Clock {
  forward(seconds: number): void;
}

export function movableClock(): MovableClock {
  let ahead = 0;
  return {
    now: () => Math.floor(Date.now() / 1000) + ahead,
    forward(seconds) {
      ahead += seconds;
    },
  };
}
