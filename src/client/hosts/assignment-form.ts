import {
  ASSIGNMENT_DAYS,
  ASSIGNMENT_DAYS_MESSAGE,
  type AssignHostInput,
  type HostUser,
  isAssignablePeriod,
} from "@shared/hosts.ts";
import { limitedText } from "@shared/text.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { z } from "zod";
import { parseDateTime } from "@/lib/format";

/** As the person fills it in; `start` is what was typed, null or empty where that is nothing: now, or the start that there is. */
export const AssignmentForm = z
  .object({
    userId: z.string().min(1, "请选择用户"),
    preset: z.enum(["365", "90", "custom"]),
    customDays: z.string(),
    start: z.string().nullable(),
    remark: limitedText("备注", 500),
  })
  .superRefine((values, context) => {
    if (validityDays(values) === null) {
      context.addIssue({ code: "custom", path: ["customDays"], message: ASSIGNMENT_DAYS_MESSAGE });
    }
    const start = typedStart(values);
    if (start !== null && parseDateTime(start) === null) {
      const message = "开始时间无效，请按 2026-12-01 08:30 的格式填写";
      context.addIssue({ code: "custom", path: ["start"], message });
    }
  });
export type AssignmentForm = z.infer<typeof AssignmentForm>;

/** What is to be changed, when someone has the host already. */
export type PresentPeriod = Pick<HostUser, "assignedAt" | "assignedExpireTime">;

export function emptyAssignment(): AssignmentForm {
  return { userId: "", preset: "365", customDays: "", start: null, remark: "" };
}

/** The remark is not known here; left empty, the stored one stays. */
export function presentAssignment(user: HostUser): AssignmentForm {
  const days = String(presentDays(user));
  const values = { ...emptyAssignment(), userId: user.id };
  return days === "365" || days === "90"
    ? { ...values, preset: days }
    : { ...values, preset: "custom", customDays: days };
}

/**
 * What a change begins with. Renewals may have carried the period past what one assignment lasts, and the server takes it so no more:
 * it then counts from now, to the same end where that is near enough, else as long as it may.
 */
export function startingPeriod(present: PresentPeriod, now: number): PresentPeriod {
  if (presentDays(present) <= ASSIGNMENT_DAYS.max) return present;
  const { assignedExpireTime } = present;
  const longest = now + ASSIGNMENT_DAYS.max * DAY_SECONDS;
  return {
    assignedAt: now,
    assignedExpireTime: isAssignablePeriod(now, assignedExpireTime) ? assignedExpireTime : longest,
  };
}

/** Rounded: between the two clocks that made a period of whole days lay a few seconds. */
export function presentDays({ assignedAt, assignedExpireTime }: PresentPeriod): number {
  return Math.round((assignedExpireTime - assignedAt) / DAY_SECONDS);
}

/** Null for what is no whole number of days within the limits. */
export function validityDays({ preset, customDays }: Pick<AssignmentForm, "preset" | "customDays">): number | null {
  const text = preset === "custom" ? customDays.trim() : preset;
  if (!/^\d{1,4}$/.test(text)) return null;
  const days = Number(text);
  return days >= ASSIGNMENT_DAYS.min && days <= ASSIGNMENT_DAYS.max ? days : null;
}

function typedStart({ start }: Pick<AssignmentForm, "start">): string | null {
  return start === null || start.trim() === "" ? null : start;
}

/** Start and end in Unix seconds; null while the days or the start are not valid. A present period that nobody has touched stays to the second. */
export function validityPeriod(
  values: AssignmentForm,
  now: number,
  present?: PresentPeriod,
): { start: number; end: number } | null {
  const days = validityDays(values);
  const typed = typedStart(values);
  const start = typed === null ? (present?.assignedAt ?? now) : parseDateTime(typed);
  if (days === null || start === null) return null;
  const end = present?.assignedExpireTime ?? 0;
  const isUntouched = present !== undefined && typed === null && days === presentDays(present);
  return { start, end: isUntouched && isAssignablePeriod(start, end) ? end : start + days * DAY_SECONDS };
}

/** What both the single and the batch call take. A start left at now is left to the server's clock. */
export function assignmentInput(
  values: AssignmentForm,
  now: number,
  present?: PresentPeriod,
): Omit<AssignHostInput, "hostId"> | null {
  const period = validityPeriod(values, now, present);
  if (period === null) return null;
  return {
    userId: values.userId,
    assignedExpireTime: period.end,
    ...(typedStart(values) === null && present === undefined ? {} : { assignedAt: period.start }),
    ...(values.remark.trim() === "" ? {} : { remark: values.remark }),
  };
}
