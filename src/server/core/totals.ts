/** Texts of filters are small; a thousand of them are a few hundred kilobytes. */
const MOST = 1_000;

export interface CountedTotal {
  /** Of the rows that were counted; the total is true while it stands. */
  readonly version: string;
  readonly total: number;
}

/** Totals of lists that this process has counted. */
export interface Totals {
  find(list: string): CountedTotal | undefined;
  keep(list: string, counted: CountedTotal): void;
}

export function createTotals(): Totals {
  const kept = new Map<string, CountedTotal>();
  return {
    find: (list) => kept.get(list),
    keep(list, counted) {
      // The one that was counted the longest time ago goes first.
      kept.delete(list);
      kept.set(list, counted);
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST) break;
        kept.delete(oldest);
      }
    },
  };
}
