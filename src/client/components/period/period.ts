import { localDate, parseLocalTime } from "@shared/shanghai.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { z } from "zod";

/** The time of which a list shows what happened, in days of Shanghai. */
export const PERIOD_LABELS = {
  today: "今天",
  yesterday: "昨天以来",
  week: "7 天",
  dates: "日期",
} as const;
export const Period = z.enum(["today", "yesterday", "week", "dates"]);
export type Period = z.infer<typeof Period>;

/** How many days before today the first day of a period lies. */
const DAYS_BEFORE = { today: 0, yesterday: 1, week: 6 } as const;

export interface ChosenPeriod {
  readonly period: Period;
  /** `2026-12-01`, for `dates` alone; without one the time is open on that side. */
  readonly fromDate?: string | undefined;
  readonly toDate?: string | undefined;
}

/** In Unix seconds, both included. */
interface Bounds {
  readonly from?: number;
  readonly to?: number;
}

/** The bounds of the list. They stay the same all day, so that the list is not asked for anew. */
export function boundsOf({ period, fromDate, toDate }: ChosenPeriod, now: number): Bounds {
  if (period !== "dates")
    return { from: startOf(localDate(now)) - DAYS_BEFORE[period] * DAY_SECONDS };

  const from = fromDate === undefined ? {} : { from: startOf(fromDate) };
  const to = toDate === undefined ? {} : { to: startOf(toDate) + DAY_SECONDS - 1 };
  return { ...from, ...to };
}

/** The last day lies before the first, which the filter says. */
export function isReversed({ from = 0, to = Number.POSITIVE_INFINITY }: Bounds): boolean {
  return from > to;
}

/** A date that the server takes: a field is typed digit by digit, and `0002-11-30` is a date, too. */
export function isDate(text: string): boolean {
  return /^2\d{3}-/.test(text) && parseLocalTime(`${text}T00:00`) !== null;
}

function startOf(day: string): number {
  return parseLocalTime(`${day}T00:00`) ?? 0;
}
