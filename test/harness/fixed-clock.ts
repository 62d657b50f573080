import { type Clock, systemClock } from "../../src/server/core/clock.ts";

export const START = 1_900_000_000;

/** A clock that stands still until a test moves it. Seconds. */
export interface FixedClock extends Clock {
  forward(seconds: number): void;
  /** Back to the start. */
  rewind(): void;
}

export function fixedClock(start = START): FixedClock {
  let present = start;
  return {
    ...systemClock,
    now: () => present,
    forward(seconds) {
      present += seconds;
    },
    rewind() {
      present = start;
    },
  };
}
