import { ASSIGNMENT_DAYS, ASSIGNMENT_DAYS_SENTENCE, type AssignHostInput } from "@shared/hosts.ts";
import { limitedText } from "@shared/text.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { z } from "zod";
import { fromDateInput } from "@/lib/format";

/** As the person fills it in; `start` is what the date input holds, null while nobody has touched it: now. */
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
      context.addIssue({ code: "custom", path: ["customDays"], message: ASSIGNMENT_DAYS_SENTENCE });
    }
    if (values.start !== null && fromDateInput(values.start) === null) {
      const message = values.start === "" ? "请选择开始时间" : "开始时间无效";
      context.addIssue({ code: "custom", path: ["start"], message });
    }
  });
export type AssignmentForm = z.infer<typeof AssignmentForm>;

export function emptyAssignment(userId = ""): AssignmentForm {
  return { userId, preset: "365", customDays: "", start: null, remark: "" };
}

/** Null for what is no whole number of days within the limits. */
export function validityDays({ preset, customDays }: Pick<AssignmentForm, "preset" | "customDays">): number | null {
  const text = preset === "custom" ? customDays.trim() : preset;
  if (!/^\d{1,4}$/.test(text)) return null;
  const days = Number(text);
  return days >= ASSIGNMENT_DAYS.min && days <= ASSIGNMENT_DAYS.max ? days : null;
}

/** Start and end in Unix seconds; null while the days are not valid. */
export function validityPeriod(values: AssignmentForm, now: number): { start: number; end: number } | null {
  const days = validityDays(values);
  const start = values.start === null ? now : fromDateInput(values.start);
  return days === null || start === null ? null : { start, end: start + days * DAY_SECONDS };
}

/** What both the single and the batch call take. A start left at now is left to the server's clock. */
export function assignmentInput(values: AssignmentForm, now: number): Omit<AssignHostInput, "hostId"> | null {
  const period = validityPeriod(values, now);
  if (period === null) return null;
  return {
    userId: values.userId,
    assignedExpireTime: period.end,
    ...(values.start === null ? {} : { assignedAt: period.start }),
    ...(values.remark.trim() === "" ? {} : { remark: values.remark }),
  };
}
