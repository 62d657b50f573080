/** A list with at least one entry, so that picking always yields something. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** Repeatable randomness: the same seed gives the same sequence on every machine. */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number;
  /** Whole number, both ends included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: NonEmpty<T>): T;
  /** `[weight, value]` pairs. */
  weighted<T>(list: NonEmpty<readonly [number, T]>): T;
}

export function createRandom(seed: number): Random {
  let state = seed | 0;
  // mulberry32: small, fast, and good enough for demo data
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
  };
}

/** Mixes numbers and words into 32 well-spread bits. */
export function hash32(...parts: readonly (number | string)[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    for (const unit of String(part)) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
    hash = Math.imul(hash ^ 0x7c, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `length` lower-case base-36 characters made from the parts. */
export function token(length: number, ...parts: readonly (number | string)[]): string {
  let text = "";
  for (let round = 0; text.length < length; round++)
    text += hash32(round, ...parts)
      .toString(36)
      .padStart(7, "0");
  return text.slice(-length);
}
