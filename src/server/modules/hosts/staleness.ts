import type { SyncInterval } from "../../../shared/configs.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";

const MINUTE_SECONDS = 60;
const STALE_INTERVALS = 3;
/** Nor so long after the slot that should have brought a success. */
const STALE_AFTER_SLOT_SECONDS = 6 * 3_600;

/** Whether what is known of the configuration's hosts may be out of date. Times in Unix seconds. */
export function isStale(
  config: {
    readonly intervalMinutes: SyncInterval | null;
    readonly createdAt: number;
    readonly lastSuccessAt: number | null;
  },
  now: number,
): boolean {
  const { intervalMinutes, createdAt, lastSuccessAt } = config;
  return (lastSuccessAt ?? createdAt) < now - staleLimit(intervalMinutes);
}

/** Nothing that was read within so many seconds is stale. */
export const SHORTEST_STALE_LIMIT = staleLimit(15);

function staleLimit(intervalMinutes: SyncInterval | null): number {
  if (intervalMinutes === null) return DAY_SECONDS;

  const interval = intervalMinutes * MINUTE_SECONDS;
  return Math.min(STALE_INTERVALS * interval, interval + STALE_AFTER_SLOT_SECONDS);
}
