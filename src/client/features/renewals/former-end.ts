import type { Renewal } from "@shared/renewals.ts";
import { DAY_SECONDS } from "@shared/time.ts";

/**
 * The end before a request was completed, in Unix seconds. Null when it had passed by then: the days
 * were counted from the completion, and nothing says when it was.
 */
export function formerEnd({
  assignedExpireTime,
  requestedDuration,
  processedAt,
}: Pick<Renewal, "assignedExpireTime" | "requestedDuration" | "processedAt">): number | null {
  const countedFrom = assignedExpireTime - requestedDuration * DAY_SECONDS;
  return processedAt !== null && countedFrom > processedAt ? countedFrom : null;
}
