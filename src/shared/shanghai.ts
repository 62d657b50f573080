import { DAY_SECONDS } from "./time.ts";

/*
 * Dates and times of day as they are in China, for everybody. Operator and client must read the
 * same last day, whatever the zone of their browsers or of the server. China has had one zone,
 * without daylight saving, since 1991: a local time is read off the moment eight hours later, and
 * no table of zones is needed.
 */
const OFFSET_SECONDS = 8 * 3600;
/** 1970-01-01 was one. */
const THURSDAY = 4;
const LOCAL_TIME = /^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** `2026-12-01T08:30` of a moment in Unix seconds. */
export function localTime(seconds: number): string {
  const iso = isoTime(seconds);
  return iso.slice(0, iso.lastIndexOf(":"));
}

/** `2026-12-01 08:30:00` */
export function localDateTime(seconds: number): string {
  const [, date = "", time = ""] = /^(.+)T(.+)\.000Z$/.exec(isoTime(seconds)) ?? [];
  return `${date} ${time}`;
}

/** `2026-12-01` */
export function localDate(seconds: number): string {
  const time = localTime(seconds);
  return time.slice(0, time.indexOf("T"));
}

/**
 * The moment in Unix seconds of a `2026-12-01T08:30`; null for anything else, such as a 30th of
 * February.
 */
export function parseLocalTime(text: string): number | null {
  if (!LOCAL_TIME.test(text)) return null;
  const milliseconds = Date.parse(`${text}Z`);
  if (Number.isNaN(milliseconds)) return null;
  const seconds = milliseconds / 1000 - OFFSET_SECONDS;
  return localTime(seconds) === text ? seconds : null;
}

/** Of the local time, as if it were that of Greenwich. */
function isoTime(seconds: number): string {
  return new Date((seconds + OFFSET_SECONDS) * 1000).toISOString();
}

/** 0 for Sunday to 6 for Saturday. */
export function localWeekday(seconds: number): number {
  return (((localDay(seconds) + THURSDAY) % 7) + 7) % 7;
}

/** How many days the date of one moment lies before that of another: 0 for the same date. */
export function datesApart(from: number, to: number): number {
  return localDay(to) - localDay(from);
}

/** The date of a moment, as days since 1970-01-01. */
export function localDay(seconds: number): number {
  return Math.floor((seconds + OFFSET_SECONDS) / DAY_SECONDS);
}

/** When such a day begins, in Unix seconds. */
export function startOfLocalDay(day: number): number {
  return day * DAY_SECONDS - OFFSET_SECONDS;
}

/** The month of a moment and those that follow: `2026-12`, `2027-01`, … */
export function monthsFrom(seconds: number, count: number): string[] {
  const [year = 0, month = 0] = localDate(seconds).split("-").map(Number);
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month - 1 + index, 1)).toISOString().slice(0, 7),
  );
}
