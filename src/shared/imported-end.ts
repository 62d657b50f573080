import { localDate, localDateTime, localDay, parseLocalTime, startOfLocalDay } from "./shanghai.ts";
import { DAY_SECONDS } from "./time.ts";

const DATE = /^(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?(?:[ T](\d{1,2}):(\d{2})(?::([0-5]\d))?)?$/;

/**
 * The moment in Unix seconds that a cell means as an end: a date is the end of that day in China, as
 * people read it. `2026-12-31`, `2026/12/31` or `2026年12月31日`, also with a time of day. Null for
 * anything else.
 */
export function parseImportedEnd(text: string): number | null {
  const match = DATE.exec(text);
  if (match === null) return null;

  const [, year = "", month = "", day = "", hour, minute = "00", second = "00"] = match;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = `${(hour ?? "0").padStart(2, "0")}:${minute}`;
  const moment = parseLocalTime(`${date}T${time}`);
  if (moment === null) return null;

  return hour === undefined ? endOfLocalDay(moment) : moment + Number(second);
}

/** What a cell says that means this end: the date alone where it is the end of that day. */
export function importedEndText(end: number): string {
  return end === endOfLocalDay(end) ? localDate(end) : localDateTime(end);
}

/** Its last second. */
function endOfLocalDay(moment: number): number {
  return startOfLocalDay(localDay(moment)) + DAY_SECONDS - 1;
}
