import type { HostItem } from "./host-item.ts";
import type { Random } from "./random.ts";
import { CHARGE_TYPES } from "./words.ts";

const HOUR = 3600;
const DAY = 86_400;

/** Payment and dates: some hosts expired, some within 1…7 days, most within months, some in a year. */
export function generateTerms(random: Random, now: number, state: string): Partial<HostItem> {
  const chargeType = random.weighted(CHARGE_TYPES);
  const createTime =
    state === "Initializing"
      ? now - random.int(60, 3 * HOUR)
      : now - random.int(2 * DAY, 1500 * DAY) - random.int(0, DAY);
  const base = { ChargeType: chargeType, CreateTime: createTime, AutoRenew: random.chance(0.4) ? "Yes" : "No" };
  switch (chargeType) {
    case "Month":
    case "Year":
    case "Trial": {
      const expireTime = prepaidExpiry(random, now);
      return {
        ...base,
        ExpireTime: expireTime,
        ...(random.chance(0.1) ? { IsExpire: expireTime < now ? "Yes" : "No" } : {}),
      };
    }
    case "Postpay":
      return base;
    case "Preemptive":
      return {
        ...base,
        ExpireTime: now + HOUR,
        RestrictMode: random.pick(["LowSpeed", "PowerOff"]),
        SpotAttribute: { RecycleTime: 0 },
      };
    default:
      // hourly: the end of the running hour, no date that anyone has to watch
      return { ...base, ExpireTime: now + HOUR - (now % HOUR) };
  }
}

function prepaidExpiry(random: Random, now: number): number {
  const [from, to] = random.weighted<readonly [number, number]>([
    [6, [-9 * DAY, -HOUR]],
    [14, [DAY, 7 * DAY]],
    [40, [8 * DAY, 60 * DAY]],
    [25, [61 * DAY, 200 * DAY]],
    [15, [330 * DAY, 370 * DAY]],
  ]);
  return now + random.int(from, to);
}
