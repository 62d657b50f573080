import { Id } from "@shared/ids.ts";
import { CreateRenewalInput, RENEWAL_DAYS } from "@shared/renewals.ts";
import { limitedText } from "@shared/text.ts";
import { z } from "zod";

const Days = CreateRenewalInput.shape.requestedDuration;

/** What the fields hold. Days other than the quick choices are typed. */
export const ApplyForm = z
  .object({
    hostId: Id.or(z.literal("")).refine((id) => id !== "", "请选择主机"),
    choice: z.enum(["30", "90", "180", "365", "custom"]),
    customDays: z.string(),
    remark: limitedText("备注", 500),
  })
  .superRefine((values, context) => {
    const days = Days.safeParse(requestedDays(values));
    for (const { message } of days.error?.issues ?? []) {
      context.addIssue({ code: "custom", path: ["customDays"], message });
    }
  });
export type ApplyForm = z.infer<typeof ApplyForm>;

export function emptyApplication(hostId = ""): ApplyForm {
  return { hostId, choice: `${RENEWAL_DAYS.default}`, customDays: "", remark: "" };
}

/** As asked for, valid or not; NaN for what is no number. */
export function requestedDays({ choice, customDays }: Pick<ApplyForm, "choice" | "customDays">): number {
  if (choice !== "custom") return Number(choice);
  const text = customDays.trim();
  return /^\d{0,6}(\.\d+)?$|^-\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Null while the days are not within the limits. */
export function validDays(values: Pick<ApplyForm, "choice" | "customDays">): number | null {
  return Days.safeParse(requestedDays(values)).data ?? null;
}
