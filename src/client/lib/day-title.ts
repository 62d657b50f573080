import { localDate } from "@shared/shanghai.ts";
import { DAY_SECONDS } from "@shared/time.ts";

/** Above what happened on a day of Shanghai: `2026-11-30 昨天`. */
export function dayTitle(day: string, now: number): string {
  if (day === localDate(now)) return `${day} 今天`;
  return day === localDate(now - DAY_SECONDS) ? `${day} 昨天` : day;
}
