import { DAY_SECONDS } from "@shared/time.ts";

/** Promised to clients: 1 to 2 working days. */
const PROMISED_DAYS = { first: 1, last: 2 } as const;
export const PROMISE = `管理员将在 ${PROMISED_DAYS.first}-${PROMISED_DAYS.last} 个工作日内处理`;

/**
 * How long a request from `since` has waited at `now` (Unix seconds), judged by the promise: `3 小时`, `1 个工作日`. A working day is 24
 * hours from Monday to Friday in the browser's zone; public holidays are not known here.
 */
export function waitingSince(since: number, now: number): { state: "fresh" | "due" | "overdue"; text: string } {
  const worked = workingSeconds(since, now);
  const days = `${Math.floor(worked / DAY_SECONDS)} 个工作日`;
  if (worked > PROMISED_DAYS.last * DAY_SECONDS) return { state: "overdue", text: days };
  if (worked >= PROMISED_DAYS.first * DAY_SECONDS) return { state: "due", text: days };
  return { state: "fresh", text: waitedText(Math.max(0, now - since)) };
}

function waitedText(seconds: number): string {
  if (seconds < 3600) return `${Math.max(1, Math.floor(seconds / 60))} 分钟`;
  if (seconds < DAY_SECONDS) return `${Math.floor(seconds / 3600)} 小时`;
  return `${Math.floor(seconds / DAY_SECONDS)} 天`;
}

function workingSeconds(since: number, now: number): number {
  let worked = 0;
  let from = since;
  while (from < now) {
    const until = Math.min(now, nextMidnight(from));
    const weekday = new Date(from * 1000).getDay();
    if (weekday >= 1 && weekday <= 5) worked += until - from;
    from = until;
  }
  return worked;
}

function nextMidnight(seconds: number): number {
  const date = new Date(seconds * 1000);
  date.setHours(24, 0, 0, 0);
  return Math.floor(date.getTime() / 1000);
}
