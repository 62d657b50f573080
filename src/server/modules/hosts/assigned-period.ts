import type { HostFieldChange } from "../../../shared/host-history.ts";
import {
  ASSIGNMENT_DAYS,
  ASSIGNMENT_DAYS_MESSAGE,
  type AssignHostInput,
  type HostUser,
  ONE_END,
} from "../../../shared/hosts.ts";
import { DAY_SECONDS, MAX_UNIX_SECONDS } from "../../../shared/time.ts";
import { type AppError, invalidField } from "../../platform/errors.ts";

/** Accepted clock difference where an end was counted from the caller's "now". */
const CLOCK_SLACK_SECONDS = 300;

type PeriodInput = Pick<AssignHostInput, "assignedAt" | "assignedExpireTime" | "days">;
/** Of the assignment that is changed. Unix seconds, as everywhere here. */
export type StoredPeriod = Pick<HostUser, "assignedAt" | "assignedExpireTime">;
interface Period {
  readonly start: number;
  readonly end: number;
}

/**
 * From when to when a client has the host. Without a start, a present assignment keeps its own and
 * a new one begins now. Days are counted from a start that is given, else from now: "30 more days
 * from today" must not depend on when a present assignment began, nor on the clock of the caller's
 * computer.
 */
export function resolvePeriod(
  input: PeriodInput,
  stored: StoredPeriod | null,
  now: number,
): Period {
  const { assignedAt, assignedExpireTime, days } = input;
  const start = assignedAt ?? stored?.assignedAt ?? now;
  if (days !== undefined) return { start, end: (assignedAt ?? now) + days * DAY_SECONDS };
  if (assignedExpireTime !== undefined) return { start, end: assignedExpireTime };
  throw invalidField("assignedExpireTime", ONE_END.error);
}

/**
 * Null when the end lies at least 1 day after the start and at most 365 days after the later of
 * start and now. An end that is stored already is valid as it is: renewals may have moved it
 * further away.
 */
export function findPeriodProblem(
  input: PeriodInput,
  stored: StoredPeriod | null,
  now: number,
): AppError | null {
  const { start, end } = resolvePeriod(input, stored, now);
  if (end === stored?.assignedExpireTime && end > start) return null;

  const slack = input.assignedAt === undefined ? CLOCK_SLACK_SECONDS : 0;
  const earliest = start + ASSIGNMENT_DAYS.min * DAY_SECONDS - (stored === null ? slack : 0);
  const latest = Math.max(start, now) + ASSIGNMENT_DAYS.max * DAY_SECONDS + slack;
  if (end >= earliest && end <= Math.min(latest, MAX_UNIX_SECONDS)) return null;

  // The number of days was checked already. What is left is a given start near the year 9999, or a
  // stored one that lies ahead of the end.
  if (input.days === undefined) return invalidField("assignedExpireTime", ASSIGNMENT_DAYS_MESSAGE);
  if (input.assignedAt !== undefined) return invalidField("assignedAt", "分配开始时间太晚");
  return invalidField("days", "到期时间必须至少在原来的开始时间 1 天之后，请填写新的开始时间");
}

/** As it is stored now: a row is written in place. */
export function periodOf({ assignedAt, assignedExpireTime }: StoredPeriod): StoredPeriod {
  return { assignedAt, assignedExpireTime };
}

/** For the history: what an act moved. */
export function periodChanges(before: StoredPeriod, after: StoredPeriod): HostFieldChange[] {
  const fields = ["assignedExpireTime", "assignedAt"] as const;
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: before[field], to: after[field] }));
}
