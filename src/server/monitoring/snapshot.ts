import { setTimeout as sleep } from "node:timers/promises";
import type { Elapsed } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { isDatabaseAway } from "../database/errors.ts";

/** Several scrapes in a row, and all metrics of one, share a reading, which is renewed after so many seconds while somebody scrapes. */
const RENEWED_AFTER = 15;
/** A reading that is slow, and not refused, is told for so many seconds in all. */
const KEPT = 40;
/** Who has scraped will do so again within so many seconds: Prometheus does after 60 unless told otherwise. */
const AWAITED = 150;
/** The most that a scrape waits, in ms. */
const PATIENCE = 50;

/** The latest reading of something that may be slow or away. */
export interface Snapshot<Value> extends Disposable {
  /** Null before the first reading has ended, and while what is read is away. Never throws, never takes long. */
  read(): Promise<Value | null>;
  /** Whether the database was found away, or no attempt has ended for too long. */
  readonly isAway: boolean;
}

export interface SnapshotOptions {
  readonly elapsed: Elapsed;
  readonly log: Log;
  /** A reading that is older, in seconds, is begun anew by who asks, and told if that takes too long. */
  readonly freshFor?: number;
}

/**
 * One reading at a time, begun when somebody asks and the last one is old, and by itself between scrapes: one that is slower than a
 * scrape waits would otherwise be too old by the next.
 */
export function createSnapshot<Value>(
  take: () => Promise<Value>,
  { elapsed, log, freshFor = RENEWED_AFTER }: SnapshotOptions,
): Snapshot<Value> {
  let last: { readonly value: Value; readonly takenAt: number } | undefined;
  let taking: Promise<void> | undefined;
  let takingSince = 0;
  let foundAway = false;
  let askedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isDisposed = false;

  function renew(): Promise<void> {
    if (taking === undefined) takingSince = elapsed();
    taking ??= attempt();
    return taking;
  }

  async function attempt(): Promise<void> {
    clearTimeout(timer);
    try {
      last = { value: await take(), takenAt: elapsed() };
      foundAway = false;
    } catch (error) {
      last = undefined;
      foundAway = isDatabaseAway(error);
      if (!foundAway) log.error({ err: error }, "what the metrics tell could not be read");
    }
    taking = undefined;
    if (!isDisposed && elapsed() - askedAt < AWAITED) timer = setTimeout(renew, RENEWED_AFTER * 1000).unref();
  }

  return {
    async read() {
      askedAt = elapsed();
      if (last === undefined || askedAt - last.takenAt >= freshFor) {
        await Promise.race([renew(), sleep(PATIENCE, undefined, { ref: false })]);
      }
      return last !== undefined && elapsed() - last.takenAt < KEPT ? last.value : null;
    },
    get isAway() {
      return foundAway || (taking !== undefined && elapsed() - takingSince >= KEPT - RENEWED_AFTER);
    },
    [Symbol.dispose]() {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}
