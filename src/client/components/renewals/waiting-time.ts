import { localWeekday } from "../../../shared/shanghai.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";

const HOUR_SECONDS = 3600;

export interface WaitingTime {
  readonly state: "fresh" | "due" | "overdue";
  readonly text: string;
}

/**
 * How long a request from `since` has waited at `now` (Unix seconds), judged by the promise of one
 * to two working days: `已等待 3 小时`, `已等待 2 个工作日`.
 */
export function waitingSince(since: number, now: number): WaitingTime {
  const hours = workingHours(since, now);
  if (hours < 24) return { state: "fresh", text: hoursText(now - since) };

  const days = Math.floor(hours / 24);
  return { state: days < 2 ? "due" : "overdue", text: `已等待 ${days} 个工作日` };
}

/** After these days somebody should ask for the money, or close the request. */
const UNPAID_DAYS = 7;

/** How long a request that was approved at `since` has not been paid: `批准已 3 天`. */
export function unpaidSince(since: number, now: number): WaitingTime {
  const days = Math.floor((now - since) / DAY_SECONDS);
  if (days < 1) return { state: "fresh", text: "批准不到 1 天" };

  return { state: days < UNPAID_DAYS ? "fresh" : "due", text: `批准已 ${days} 天` };
}

function hoursText(seconds: number): string {
  const hours = Math.floor(seconds / HOUR_SECONDS);
  return hours < 1 ? "等待不到 1 小时" : `已等待 ${hours} 小时`;
}

/** The whole hours from Monday to Friday in Shanghai; public holidays are not known here. */
function workingHours(since: number, now: number): number {
  let hours = 0;
  for (let start = since; start + HOUR_SECONDS <= now; start += HOUR_SECONDS) {
    const weekday = localWeekday(start);
    const isWorkingDay = weekday >= 1 && weekday <= 5;
    if (isWorkingDay) hours += 1;
  }
  return hours;
}
