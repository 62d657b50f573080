import { randomBytes } from "node:crypto";
import { v7 } from "uuid";

const BYTES = 16;

/**
 * Makes up to `count` UUIDv7s of one time, in Unix seconds, in rising order. For rows that are made
 * by the thousand: random bytes for all of them are asked for at once, because asking for those of
 * each one takes longer than everything else.
 */
export function createIdGenerator(count: number, at: number): () => string {
  const bytes = randomBytes(count * BYTES);
  let made = 0;

  return () => {
    const random = bytes.subarray(made * BYTES, (made + 1) * BYTES);
    const id = v7({ msecs: at * 1_000, seq: made, random });
    made += 1;
    return id;
  };
}

/**
 * The lowest UUIDv7 of a time, in Unix seconds: rows whose ids carry their time are earlier below
 * it.
 */
export function lowestIdAt(at: number): string {
  return v7({ msecs: at * 1_000, seq: 0, random: new Uint8Array(BYTES) });
}
