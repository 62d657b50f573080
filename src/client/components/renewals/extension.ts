import type { BatchCreateRenewalsInput } from "@shared/batch.ts";
import { RENEWAL_DAYS } from "@shared/renewals.ts";
import { daysUntil, extendedExpiry } from "@shared/time.ts";
import { z } from "zod";
import { endOfDay } from "@/components/assignments/period";

/** Days, or one last day for all. */
export const ExtensionMode = z.enum(["30", "90", "180", "365", "day"]);

/** What a form holds of it: the day is that of a `DateInput`. */
interface ExtensionFields {
  mode: z.infer<typeof ExtensionMode>;
  day: string;
}

/** Of one host. Unix seconds. */
export interface Extension {
  readonly days: number;
  /** The client's end with it. */
  readonly end: number;
  /** Whether so many days may be asked for. */
  readonly isPossible: boolean;
}

/** What is asked for a host that ends at `expiry`; null until a common last day is chosen. */
export function extensionOf(
  { mode, day }: ExtensionFields,
  expiry: number,
  now: number,
): Extension | null {
  const until = endOfDay(day);
  if (mode === "day" && until === null) return null;

  const days = mode === "day" ? daysUntil(expiry, until ?? 0, now) : Number(mode);
  const isPossible = days >= RENEWAL_DAYS.min && days <= RENEWAL_DAYS.max;
  return { days, end: extendedExpiry(expiry, days, now), isPossible };
}

export function extensionInput({
  mode,
  day,
}: ExtensionFields): Pick<BatchCreateRenewalsInput, "requestedDuration" | "untilDate"> {
  if (mode === "day") return { untilDate: endOfDay(day) ?? 0 };
  return { requestedDuration: Number(mode) };
}
