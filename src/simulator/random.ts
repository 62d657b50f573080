export type NonEmpty<T> = readonly [T, ...T[]];
export type Weighted<T> = NonEmpty<readonly [weight: number, value: T]>;

/** A seeded generator: the same seed gives the same sequence on every machine. */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number;
  /** Whole number, both ends included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: NonEmpty<T>): T;
  weighted<T>(list: Weighted<T>): T;
  /** The same items in any order. */
  shuffle<T>(list: readonly T[]): T[];
}

export function createRandom(seed: number): Random {
  let state = seed | 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    weighted: (list) => {
      let left = next() * list.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of list) {
        left -= weight;
        if (left < 0) return value;
      }
      return list[0][1];
    },
    shuffle: (list) =>
      list
        .map((item) => ({ item, key: next() }))
        .toSorted((one, other) => one.key - other.key)
        .map(({ item }) => item),
  };
}
