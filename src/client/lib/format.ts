import { DAY_SECONDS, daysLeft } from "@shared/time.ts";
import { formatNumber } from "@/lib/format-number";

/** Shown where there is nothing to show. */
export const NOTHING = "—";
const INVALID = "Invalid Date";
const MB_PER_GB = 1024;

type Seconds = number | null | undefined;

/** `2026-12-01`, in the browser's zone (Asia/Shanghai where it names none). Unix seconds, as everywhere here. */
export function formatDate(seconds: Seconds): string {
  return formatOrDash(seconds, (time) => CLOCK.format(time * 1000).slice(0, 10));
}

/** `2026-12-01 08:30` */
export function formatDateTime(seconds: Seconds): string {
  return formatOrDash(seconds, (time) => CLOCK.format(time * 1000));
}

/** `还有 11 天`, `已过期 3 天`: the days are those of the expiry rule, rounded up. */
export function formatTimeLeft(expiry: Seconds, now: number = currentSeconds()): string {
  return formatOrDash(expiry, (end) => {
    if (end >= now) {
      const left = daysLeft(end, now);
      return left === 0 ? "现在到期" : `还有 ${formatNumber(left)} 天`;
    }
    const past = Math.floor((now - end) / DAY_SECONDS);
    return past === 0 ? "已过期不到 1 天" : `已过期 ${formatNumber(past)} 天`;
  });
}

/** `2026-12-01 · 还有 11 天` */
export function formatExpiry(expiry: Seconds, now: number = currentSeconds()): string {
  return formatOrDash(expiry, (end) => `${formatDate(end)} · ${formatTimeLeft(end, now)}`);
}

/** `刚刚`, `5 分钟前`, `3 小时前`, `2 天前`; a date once it is older than 30 days. */
export function formatAgo(seconds: Seconds, now: number = currentSeconds()): string {
  return formatOrDash(seconds, (time) => {
    const past = Math.max(0, now - time);
    if (past < 60) return "刚刚";
    if (past < 3600) return `${Math.floor(past / 60)} 分钟前`;
    if (past < DAY_SECONDS) return `${Math.floor(past / 3600)} 小时前`;
    if (past <= 30 * DAY_SECONDS) return `${Math.floor(past / DAY_SECONDS)} 天前`;
    return formatDate(time);
  });
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
  return formatDateTime(seconds).replace(" ", "T");
}

/** Unix seconds of such a value, null when it is empty or no date. */
export function parseDateTime(value: string): number | null {
  const time = new Date(value).getTime();
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
}

export function currentSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Swedish writes dates this way. */
const CLOCK = new Intl.DateTimeFormat("sv-SE", { timeZone: browserZone(), dateStyle: "short", timeStyle: "short" });

function browserZone(): string {
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === undefined || zone === "" || zone === "Etc/Unknown" ? "Asia/Shanghai" : zone;
}

function formatOrDash(seconds: Seconds, write: (seconds: number) => string): string {
  if (seconds === null || seconds === undefined) return NOTHING;
  return Number.isNaN(new Date(seconds * 1000).getTime()) ? INVALID : write(seconds);
}
