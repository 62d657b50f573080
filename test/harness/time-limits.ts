/** Multiplies the contract's time limits on a slow machine. */
const TIMEOUT_FACTOR = Number(process.env.TEST_TIMEOUT_FACTOR ?? 1);

/** How long a stop may take by the contract, in ms. */
export const STOP_LIMIT = 10_000;

/** A time limit of the contract on this machine, in ms. */
export function within(ms: number): number {
  return ms * TIMEOUT_FACTOR;
}
