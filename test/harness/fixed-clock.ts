import { type Clock, systemClock } from "../../src/server/core/clock.ts";

export const START = 1_900_000_000;

/** A present that stands still until it is moved, so that a model can name every second. */
export interface StillClock extends Clock {
  forward(seconds: number): void;
  /** Back to the start. */
  rewind(): void;
}

export function stillClock(start = START): StillClock {
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
