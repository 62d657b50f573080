import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

/** Sorts before every id. */
export const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

/** What one id may use. */
const ID_BYTES = 16;
/** Random bytes are asked for by the thousand: asking costs ten times as much as making an id of them. */
const pool = new Uint8Array(ID_BYTES * 256);
let used = pool.length;
/** Of the last id: its millisecond, and where among those of that millisecond it stands. */
let msecs = 0;
let seq = 0;

/** UUIDv7: sorts by time of making, those of one millisecond in their order, so that "newest first" is an order by primary key. */
export function newId(): string {
  const random = nextRandom();
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    // Half of the room is left for those that follow.
    seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else {
    seq += 1;
  }
  return v7({ random, msecs, seq });
}

function nextRandom(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.subarray(used - ID_BYTES, used);
}
