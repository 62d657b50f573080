/** The present as Unix seconds; a test may hand in its own. */
export interface Clock {
  now(): number;
}

/** Seconds since some moment, for how long something takes: a step of the wall clock changes nothing in them. A test may hand in its own. */
export type Elapsed = () => number;

export const systemElapsed: Elapsed = () => performance.now() / 1000;

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
};
