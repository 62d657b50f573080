import { createRandom, type Random, type Weighted } from "./random.ts";
import { AUTO_RENEW, CHARGE_TYPES } from "./words.ts";

const HOUR = 3600;
const DAY = 86_400;

/** An entry of UHostSet: generated fields, or any values that a test has set. */
export type HostRecord = Record<string, unknown>;

/** What one period of a charge type lasts, in seconds; every other type is billed by the hour. */
const PERIODS: ReadonlyMap<unknown, number> = new Map([
  ["Month", 30 * DAY],
  ["Year", 365 * DAY],
  ["Trial", 7 * DAY],
]);

interface TermsSeed {
  hostSeed: number;
  addedAt: number;
  state: string;
}

/** How a host is paid for, and since when. */
export function generateTerms(random: Random, { hostSeed, addedAt, state }: TermsSeed) {
  const chargeType = random.weighted(CHARGE_TYPES);
  const age = state === "Initializing" ? random.int(60, 3 * HOUR) : random.int(2 * DAY, 1500 * DAY);
  const firstEnd = PERIODS.has(chargeType) ? addedAt + secondsLeft(random) : null;
  // A draw of its own, so that the fields after it stay as they are.
  const autoRenew = createRandom(hostSeed + 1).weighted(AUTO_RENEW);
  // What renews itself does not end.
  const hasEnded = firstEnd !== null && firstEnd <= addedAt;

  return {
    ChargeType: chargeType,
    CreateTime: addedAt - age,
    ...(autoRenew === null ? {} : { AutoRenew: hasEnded ? "No" : autoRenew }),
    firstEnd,
  };
}

function secondsLeft(random: Random): number {
  const [from, to] = random.weighted(DAYS_LEFT);
  return random.int(from * DAY, to * DAY);
}

const DAYS_LEFT: Weighted<readonly [from: number, to: number]> = [
  [6, [-9, 0]],
  [14, [1, 7]],
  [40, [8, 60]],
  [25, [61, 200]],
  [15, [330, 370]],
];

interface Terms {
  record: HostRecord;
  /** Of a prepaid host; null when it has become one later. */
  firstEnd: number | null;
  addedAt: number;
}

/**
 * `ExpireTime` as it is now, in Unix seconds; null where the provider gives none. A prepaid host
 * that renews itself is renewed at its end, for as long as one period. Of what is billed by the
 * hour it is the end of the present hour.
 */
export function endAt(now: number, { record, firstEnd, addedAt }: Terms): number | null {
  const { ChargeType, AutoRenew } = record;
  if (ChargeType === "Postpay") return null;

  const period = PERIODS.get(ChargeType);
  if (period === undefined) return now - (now % HOUR) + HOUR;

  const end = firstEnd ?? addedAt + period;
  const renewsItself = ChargeType !== "Trial" && /^yes$/i.test(String(AutoRenew));
  if (!renewsItself || now < end) return end;
  return end + (Math.floor((now - end) / period) + 1) * period;
}
