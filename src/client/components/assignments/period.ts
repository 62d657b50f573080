import {
  ASSIGNMENT_DAYS,
  ASSIGNMENT_DAYS_MESSAGE,
  type AssignHostInput,
  type HostUser,
} from "@shared/hosts.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { INCOMPLETE, incompleteDate } from "@/components/date-input";
import { dateTimeInput, formatDate, parseDateTime } from "@/lib/format";
import { serverNow } from "@/lib/server-time";

/** What a form holds of a period, as it is typed. */
export interface PeriodFields {
  /** Whether the end is given by `days` or by `endDate`. */
  ends: "days" | "date";
  days: string;
  /** The last day, of a `DateInput`. */
  endDate: string;
  /** Of a `DateInput`; empty stands for now, or for the start of the assignment to change. */
  start: string;
}

const TOO_EARLY = "到期日必须至少在开始时间 1 天之后";

/** Unix seconds. */
type StoredPeriod = Pick<HostUser, "assignedAt" | "assignedExpireTime">;

type PeriodReading =
  | { kind: "period"; start: number; end: number }
  | { kind: "problem"; field: "days" | "endDate" | "start"; message: string };

/**
 * The period in Unix seconds that the server will store, or what is wrong with the fields.
 * `stored` is the assignment to change: its own end is valid however far away it is, and is kept to
 * the second while its day is.
 */
export function readPeriod(
  fields: PeriodFields,
  stored?: StoredPeriod,
  now: number = serverNow(),
): PeriodReading {
  const start = readStart(fields.start, stored, now);
  if (start.kind === "problem") return start;

  const end =
    fields.ends === "days"
      ? readDays(fields.days, start.at)
      : readEndDate(fields.endDate, { start: start.at, stored, now });

  return end.kind === "problem" ? end : { kind: "period", start: start.at, end: end.at };
}

/** Whole days from start to end, rounded: an end was counted from a moment after its start. */
export function daysOf({ start, end }: { start: number; end: number }): number {
  return Math.round((end - start) / DAY_SECONDS);
}

/** Of fields that `readPeriod` accepts. The server counts days, and decides what "now" is. */
export function periodInput(
  fields: PeriodFields,
  stored?: StoredPeriod,
  now: number = serverNow(),
): Pick<AssignHostInput, "assignedAt" | "assignedExpireTime" | "days"> {
  const period = readPeriod(fields, stored, now);
  if (period.kind === "problem") throw new Error("the form is invalid");

  const isStartKept = isSameStart(fields.start, stored);
  if (fields.ends === "date") {
    const end = { assignedExpireTime: period.end };
    return isStartKept ? end : { assignedAt: period.start, ...end };
  }

  const days = Number(fields.days);
  const isFromNow = isStartKept && stored === undefined;
  return isFromNow ? { days } : { assignedAt: period.start, days };
}

/** The first and the last day on which an assignment from `start` (Unix seconds) may end. */
export function endDateLimits(start: number, now: number): { min: string; max: string } {
  return {
    min: formatDate(Math.max(start + ASSIGNMENT_DAYS.min * DAY_SECONDS, now)),
    max: formatDate(latestEnd(start, now)),
  };
}

/** The last second of a day in Unix seconds; null when it is no date. */
export function endOfDay(date: string): number | null {
  const start = parseDateTime(`${date}T00:00`);
  return start === null ? null : start + DAY_SECONDS - 1;
}

type Moment = { kind: "moment"; at: number };
type Problem = Extract<PeriodReading, { kind: "problem" }>;

function readStart(text: string, stored: StoredPeriod | undefined, now: number): Moment | Problem {
  if (text === INCOMPLETE) return problem("start", incompleteDate("开始时间"));
  if (isSameStart(text, stored)) return { kind: "moment", at: stored?.assignedAt ?? now };

  const at = parseDateTime(text);
  return at === null ? problem("start", "开始时间无效") : { kind: "moment", at };
}

function readDays(text: string, start: number): Moment | Problem {
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  if (days < ASSIGNMENT_DAYS.min || days > ASSIGNMENT_DAYS.max) {
    return problem("days", ASSIGNMENT_DAYS_MESSAGE);
  }
  return { kind: "moment", at: start + days * DAY_SECONDS };
}

function readEndDate(
  text: string,
  { start, stored, now }: { start: number; stored: StoredPeriod | undefined; now: number },
): Moment | Problem {
  if (text === INCOMPLETE) return problem("endDate", incompleteDate("到期日"));
  if (stored !== undefined && text === formatDate(stored.assignedExpireTime)) {
    const kept = stored.assignedExpireTime;
    return kept > start ? { kind: "moment", at: kept } : problem("endDate", TOO_EARLY);
  }

  const end = endOfDay(text);
  if (end === null) return problem("endDate", "请选择到期日");

  const latest = latestEnd(start, now);
  if (text === formatDate(latest)) return { kind: "moment", at: Math.min(end, latest) };
  if (end > latest) return problem("endDate", `到期日最晚是 ${formatDate(latest)}`);
  if (end < start + ASSIGNMENT_DAYS.min * DAY_SECONDS) {
    return problem("endDate", TOO_EARLY);
  }
  return { kind: "moment", at: end };
}

/** As the server has it: 365 days after the later of the start and now. */
function latestEnd(start: number, now: number): number {
  return Math.max(start, now) + ASSIGNMENT_DAYS.max * DAY_SECONDS;
}

function isSameStart(start: string, stored: StoredPeriod | undefined): boolean {
  if (start === "") return true;
  return stored !== undefined && start === dateTimeInput(stored.assignedAt);
}

function problem(field: Problem["field"], message: string): Problem {
  return { kind: "problem", field, message };
}
