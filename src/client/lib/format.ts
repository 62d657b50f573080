import { localDate, localDateTime, localTime, parseLocalTime } from "@shared/shanghai.ts";
import { DAY_SECONDS, daysLeft } from "@shared/time.ts";
import { formatNumber } from "@/lib/format-number";
import { serverNow } from "@/lib/server-time";

/** Shown where there is nothing to show. */
export const NOTHING = "—";
const INVALID = "Invalid Date";
const MB_PER_GB = 1024;

type Seconds = number | null | undefined;

/** `2026-12-01`, as it is in Shanghai. Unix seconds, as everywhere here. */
export function formatDate(seconds: Seconds): string {
  return formatOrDash(seconds, localDate);
}

/** `12-01` in the year of now, `2027-12-01` in another. */
export function formatDay(seconds: Seconds, now: number = serverNow()): string {
  const date = formatDate(seconds);
  const thisYear = localDate(now).slice(0, "2026-".length);
  return date.startsWith(thisYear) ? date.slice(thisYear.length) : date;
}

/** `2026-12-01 08:30` */
export function formatDateTime(seconds: Seconds): string {
  return formatOrDash(seconds, (time) => localTime(time).replace("T", " "));
}

/** `2026-12-01 08:30:15` */
export function formatMoment(seconds: Seconds): string {
  return formatOrDash(seconds, localDateTime);
}

/** `08:30` */
export function formatTime(seconds: Seconds): string {
  return formatOrDash(seconds, (time) => localTime(time).slice(-"08:30".length));
}

/** `还有 11 天`, `已过期 3 天`: the days are those of the expiry rule, rounded up. */
export function formatTimeLeft(expiry: Seconds, now: number = serverNow()): string {
  return formatOrDash(expiry, (end) => {
    if (end >= now) {
      const left = daysLeft(end, now);
      return left === 0 ? "现在到期" : `还有 ${formatNumber(left)} 天`;
    }
    const past = Math.floor((now - end) / DAY_SECONDS);
    return past === 0 ? "过期不到 1 天" : `已过期 ${formatNumber(past)} 天`;
  });
}

/** `2026-12-01 · 还有 11 天` */
export function formatExpiry(expiry: Seconds, now: number = serverNow()): string {
  return formatOrDash(expiry, (end) => `${formatDate(end)} · ${formatTimeLeft(end, now)}`);
}

/** `刚刚`, `5 分钟前`, `3 小时前`, `2 天前`; a date once it is older than 30 days. */
export function formatAgo(seconds: Seconds, now: number = serverNow()): string {
  return formatOrDash(seconds, (time) => {
    const past = Math.max(0, now - time);
    if (past < 60) return "刚刚";
    if (past < 3600) return `${Math.floor(past / 60)} 分钟前`;
    if (past < DAY_SECONDS) return `${Math.floor(past / 3600)} 小时前`;
    if (past <= 30 * DAY_SECONDS) return `${Math.floor(past / DAY_SECONDS)} 天前`;
    return formatDate(time);
  });
}

/** `即将`, `12 分钟后`, `3 小时后`, `2 天后`, of a moment that is still to come. */
export function formatIn(seconds: Seconds, now: number = serverNow()): string {
  return formatOrDash(seconds, (time) => {
    const wait = time - now;
    if (wait < 60) return "即将";
    const minutes = Math.round(wait / 60);
    if (minutes < 60) return `${minutes} 分钟后`;
    const hours = Math.round(wait / 3600);
    if (hours < 24) return `${hours} 小时后`;
    return `${Math.round(wait / DAY_SECONDS)} 天后`;
  });
}

/** `¥1,234.50`, `-¥0.10` */
export function formatYuan(yuan: number): string {
  const [whole, decimals] = Math.abs(yuan).toFixed(2).split(".");
  return `${yuan < 0 ? "-" : ""}¥${formatNumber(Number(whole))}.${decimals}`;
}

/** MB in, `8 GB` when whole, else `1536 MB`. */
export function formatMemory(megabytes: number): string {
  const isWhole = megabytes >= MB_PER_GB && megabytes % MB_PER_GB === 0;
  return isWhole ? `${formatNumber(megabytes / MB_PER_GB)} GB` : `${megabytes} MB`;
}

/** GB in and out. */
export function formatDisk(gigabytes: number): string {
  return `${formatNumber(gigabytes)} GB`;
}

/** `03:07`, `1:02:03` from the first hour on. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (value: number) => String(value).padStart(2, "0");
  const tail = `${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
  return whole < 3600 ? tail : `${Math.floor(whole / 3600)}:${tail}`;
}

/** A share of 0…1 as `42%`; never rounds up to 100 before it is done. */
export function formatPercent(share: number): string {
  return `${share >= 1 ? 100 : Math.min(99, Math.max(0, Math.round(share * 100)))}%`;
}

/** `2026-12-01T08:30`, the value of a `datetime-local` input. */
export function dateTimeInput(seconds: number): string {
  return localTime(seconds);
}

/** Unix seconds of such a value, which is meant in Shanghai; null when it is empty or no date. */
export function parseDateTime(value: string): number | null {
  return parseLocalTime(value);
}

function formatOrDash(seconds: Seconds, write: (seconds: number) => string): string {
  if (seconds === null || seconds === undefined) return NOTHING;
  // The local time is hours later, and must be a date as well.
  const isDate = !Number.isNaN(new Date((seconds + DAY_SECONDS) * 1000).getTime());
  return isDate ? write(seconds) : INVALID;
}
