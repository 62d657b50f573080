import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../core/clock.ts";
import { isDatabaseAway } from "../core/database-errors.ts";
import type { Log } from "../core/log.ts";

/** Several scrapes in a row, and all metrics of one, share a reading that is at most so many seconds old. */
const MAX_AGE = 15;
/** A reading that is slow, and not refused, is told for so many seconds in all. */
const KEPT = 40;
/** The most that a scrape waits, in ms. */
const PATIENCE = 50;

/** The latest reading of something that may be slow or away. */
export interface Snapshot<Value> {
  /** Null before the first reading has ended, and while what is read is away. Never throws, never takes long. */
  read(): Promise<Value | null>;
  /** Whether the database was found away, or no attempt has ended for too long. */
  readonly isAway: boolean;
}

/** One reading at a time, begun when somebody asks and the last one is old. */
export function createSnapshot<Value>(
  take: () => Promise<Value>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Snapshot<Value> {
  let last: { readonly value: Value; readonly takenAt: number } | undefined;
  let taking: Promise<void> | undefined;
  let takingSince = 0;
  let foundAway = false;

  async function renew(): Promise<void> {
    try {
      last = { value: await take(), takenAt: clock.now() };
      foundAway = false;
    } catch (error) {
      last = undefined;
      foundAway = isDatabaseAway(error);
      if (!foundAway) log.error({ err: error }, "what the metrics tell could not be read");
    }
    taking = undefined;
  }

  return {
    async read() {
      if (last === undefined || clock.now() - last.takenAt >= MAX_AGE) {
        if (taking === undefined) takingSince = clock.now();
        taking ??= renew();
        await Promise.race([taking, sleep(PATIENCE, undefined, { ref: false })]);
      }
      return last !== undefined && clock.now() - last.takenAt < KEPT ? last.value : null;
    },
    get isAway() {
      return foundAway || (taking !== undefined && clock.now() - takingSince >= KEPT - MAX_AGE);
    },
  };
}
