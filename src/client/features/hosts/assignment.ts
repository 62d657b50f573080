import {
  ASSIGNMENT_DAYS_MESSAGE,
  type AssignHostInput,
  type Host,
  type HostUser,
} from "@shared/hosts.ts";
import { limitedText } from "@shared/text.ts";
import type { FieldErrors } from "react-hook-form";
import { z } from "zod";
import { otherHolders } from "@/components/assignments/holders";
import { periodInput, readPeriod } from "@/components/assignments/period";
import { FORM_TOAST } from "@/components/form-dialog/form-toast";
import { dateTimeInput, formatDate, formatExpiry } from "@/lib/format";
import { notify } from "@/lib/notify";

export const AssignmentForm = z.object({
  userId: z.string(),
  ends: z.enum(["days", "date"]),
  days: z.string(),
  endDate: z.string(),
  start: z.string(),
  /** What becomes of those who have the hosts already; "" until it is chosen. */
  sharing: z.enum(["", "transfer", "share"]),
  remark: limitedText("备注", 500),
});
export type AssignmentForm = z.infer<typeof AssignmentForm>;

const DEFAULT_DAYS = 365;

type Subject = {
  hosts: readonly Host[];
  /** The assignment to change. */
  present?: HostUser | undefined;
};

export function checkAssignment(
  values: AssignmentForm,
  context: z.RefinementCtx,
  { hosts, present }: Subject,
): void {
  const refuse = (field: keyof AssignmentForm, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });

  if (values.userId === "") refuse("userId", "请选择用户");
  if (present === undefined && needsSharing(values, hosts)) {
    refuse("sharing", "请选择转移或共用");
  }
  const period = readPeriod(periodFields(values), present);
  if (period.kind === "problem") refuse(period.field, period.message);
}

/** The warnings that the specification names, besides what stands under the fields. */
export function warnOfInvalid(errors: FieldErrors<AssignmentForm>): void {
  if (errors.userId) notify.warning("请选择用户", { id: FORM_TOAST });
  else if (errors.days) {
    notify.warning("分配天数无效", { message: ASSIGNMENT_DAYS_MESSAGE, id: FORM_TOAST });
  }
}

function needsSharing({ userId, sharing }: AssignmentForm, hosts: readonly Host[]): boolean {
  return sharing === "" && userId !== "" && otherHolders(hosts, userId).length > 0;
}

/** A transfer begins now, whatever was typed before it was chosen. */
export function periodFields(values: AssignmentForm): AssignmentForm {
  return values.sharing === "transfer" ? { ...values, start: "" } : values;
}

/** The remark is unknown here; left empty, the stored one stays. */
export function assignmentValues({
  present,
  days = DEFAULT_DAYS,
}: {
  present?: HostUser | undefined;
  days?: number | undefined;
}): AssignmentForm {
  const shared = { days: String(days), sharing: "", remark: "" } as const;
  if (present === undefined) {
    return { ...shared, userId: "", ends: "days", endDate: "", start: "" };
  }
  return {
    ...shared,
    userId: present.id,
    ends: "date",
    endDate: formatDate(present.assignedExpireTime),
    start: dateTimeInput(present.assignedAt),
  };
}

/** The input of the single and of the batch call, from values that `checkAssignment` accepts. */
export function assignmentInput(
  values: AssignmentForm,
  present?: HostUser,
): Omit<AssignHostInput, "hostId"> {
  const { userId, remark } = values;
  const noted = remark.trim() === "" ? {} : { remark };
  return { userId, ...periodInput(periodFields(values), present), ...noted };
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

/** Null unless the user has some of the hosts already. */
export function replacementWarning(hosts: readonly Host[], userId: string): string | null {
  const periods = hosts.flatMap(({ users }) => users.filter(({ id }) => id === userId));
  const [first] = periods;
  if (first === undefined) return null;

  const which = hosts.length === 1 ? "该主机" : `其中 ${periods.length} 台主机`;
  const until = periods.length === 1 ? `（${formatExpiry(first.assignedExpireTime)}）` : "";
  return `${which}已分配给此用户，原有的有效期${until}将被这次的有效期替换。`;
}
