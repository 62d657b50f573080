import {
  ASSIGNMENT_DAYS,
  ASSIGNMENT_DAYS_MESSAGE,
  type AssignHostInput,
  type Host,
  type HostUser,
} from "@shared/hosts.ts";
import { limitedText } from "@shared/text.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { z } from "zod";
import { INCOMPLETE, incompleteDate } from "@/components/date-input";
import { providerExpiryWarning } from "@/components/hosts/provider-expiry-warning";
import { dateTimeInput, formatExpiry, parseDateTime } from "@/lib/format";
import { serverNow } from "@/lib/server-time";

/**
 * `days` as typed. `start` is the value of a `DateInput`; empty stands for now, or for the start of
 * the assignment to change.
 */
export const AssignmentForm = z.object({
  userId: z.string(),
  days: z.string(),
  start: z.string(),
  remark: limitedText("备注", 500),
});
export type AssignmentForm = z.infer<typeof AssignmentForm>;
type PeriodFields = Pick<AssignmentForm, "days" | "start">;
/** Unix seconds. */
type StoredPeriod = Pick<HostUser, "assignedAt" | "assignedExpireTime">;

/** `present` is the assignment to change; its own expiry is valid however far away it is. */
export function checkAssignment(
  { userId, days, start }: AssignmentForm,
  context: z.RefinementCtx,
  present?: StoredPeriod,
): void {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  if (userId === "") refuse("userId", "请选择用户");
  if (validityDays({ days, start }, present) === null) refuse("days", ASSIGNMENT_DAYS_MESSAGE);
  if (start === INCOMPLETE) refuse("start", incompleteDate("开始时间"));
  else if (start !== "" && parseDateTime(start) === null) refuse("start", "开始时间无效");
}

/** The remark is unknown here; left empty, the stored one stays. */
export function assignmentValues(present?: HostUser): AssignmentForm {
  return {
    userId: present?.id ?? "",
    days: present === undefined ? "365" : String(presentDays(present)),
    start: present === undefined ? "" : dateTimeInput(present.assignedAt),
    remark: "",
  };
}

/**
 * Null unless it is a whole number of days within the limits, or the stored period is unchanged.
 */
export function validityDays(values: PeriodFields, present?: StoredPeriod): number | null {
  if (!/^\d{1,4}$/.test(values.days.trim())) return null;

  const days = Number(values.days);
  const isWithinLimits = days >= ASSIGNMENT_DAYS.min && days <= ASSIGNMENT_DAYS.max;
  return isWithinLimits || isUnchanged(values, present) ? days : null;
}

function isUnchanged({ days, start }: PeriodFields, present?: StoredPeriod): boolean {
  return (
    present !== undefined && isSameStart(start, present) && Number(days) === presentDays(present)
  );
}

function isSameStart(start: string, present?: StoredPeriod): boolean {
  return start === "" || (present !== undefined && start === dateTimeInput(present.assignedAt));
}

/**
 * Unix seconds; null while days or start are invalid. Unchanged days keep the stored expiry to the
 * second.
 */
export function validityPeriod(
  values: AssignmentForm,
  present?: StoredPeriod,
  now: number = serverNow(),
): { start: number; end: number } | null {
  const days = validityDays(values, present);
  const start = isSameStart(values.start, present)
    ? (present?.assignedAt ?? now)
    : parseDateTime(values.start);

  if (days === null || start === null) return null;
  if (present !== undefined && isUnchanged(values, present)) {
    return { start, end: present.assignedExpireTime };
  }
  return { start, end: start + days * DAY_SECONDS };
}

/**
 * The input of the single and of the batch call, from values that `checkAssignment` accepts. The
 * server counts the days, and decides what "now" is.
 */
export function assignmentInput(
  values: AssignmentForm,
  present?: StoredPeriod,
): Omit<AssignHostInput, "hostId"> {
  const { userId, remark } = values;
  return { userId, ...periodInput(values, present), ...(remark.trim() === "" ? {} : { remark }) };
}

function periodInput(
  values: AssignmentForm,
  present?: StoredPeriod,
): Pick<AssignHostInput, "assignedAt" | "assignedExpireTime" | "days"> {
  const days = validityDays(values, present);
  if (days === null) throw new Error("the form is invalid");

  if (present !== undefined && isUnchanged(values, present)) {
    return { assignedAt: present.assignedAt, assignedExpireTime: present.assignedExpireTime };
  }
  if (present !== undefined && isSameStart(values.start, present)) {
    return { assignedAt: present.assignedAt, days };
  }

  const start = parseDateTime(values.start);
  return start === null ? { days } : { assignedAt: start, days };
}

/**
 * Rounded: an end that was counted from a moment after the start is not whole days away from it.
 */
function presentDays({ assignedAt, assignedExpireTime }: StoredPeriod): number {
  return Math.round((assignedExpireTime - assignedAt) / DAY_SECONDS);
}

/** The hosts that the user has for longer than until `end` (Unix seconds), with that later end. */
export function hostsEndingLater(
  hosts: readonly Host[],
  userId: string,
  end: number,
): { host: Host; presentEnd: number }[] {
  return hosts.flatMap((host) => {
    const presentEnd = host.users.find(({ id }) => id === userId)?.assignedExpireTime;
    return presentEnd !== undefined && presentEnd > end ? [{ host, presentEnd }] : [];
  });
}

/**
 * What to know before the hosts are assigned until `end` (Unix seconds). `newUserId` is null when a
 * present assignment is changed.
 */
export function assignmentWarnings(
  hosts: readonly Host[],
  newUserId: string | null,
  end: number,
): string[] {
  const warnings = [
    newUserId === null ? null : replacementWarning(hosts, newUserId),
    providerExpiryWarning(hosts, end),
  ];
  return warnings.filter((warning) => warning !== null);
}

/** Null unless the user has some of the hosts already. */
function replacementWarning(hosts: readonly Host[], userId: string): string | null {
  const periods = hosts.flatMap(({ users }) => users.filter(({ id }) => id === userId));
  const [first] = periods;
  if (first === undefined) return null;

  const which = hosts.length === 1 ? "该主机" : `其中 ${periods.length} 台主机`;
  const until = periods.length === 1 ? `（${formatExpiry(first.assignedExpireTime)}）` : "";
  return `${which}已分配给此用户，原有的有效期${until}将被这次的有效期替换。`;
}
