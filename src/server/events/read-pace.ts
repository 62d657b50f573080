export interface ReadPace {
  /** Counts the next read; how long it has to wait, in ms. */
  next(): number;
}

/**
 * A bucket of `burst` reads, of which one comes back with each `gap` (in ms): what comes alone is read without delay, and so is the
 * last event after a few quick ones, while hints that go on and on share their reads.
 */
export function createReadPace({ burst, gap }: { readonly burst: number; readonly gap: number }): ReadPace {
  let left = burst;
  let countedAt = performance.now();
  return {
    next() {
      const now = performance.now();
      left = Math.min(burst, left + (now - countedAt) / gap) - 1;
      countedAt = now;
      return Math.max(0, -left * gap);
    },
  };
}
