import type { Renewal } from "@shared/renewals.ts";
import { extendedExpiry } from "@shared/time.ts";

/** Null when nothing is going to be extended any more. */
export function expiryAfter({ status, assignedExpireTime, requestedDuration }: Renewal, now: number): number | null {
  switch (status) {
    case "pending":
    case "approved":
      return extendedExpiry(assignedExpireTime, requestedDuration, now);
    case "rejected":
    case "completed":
    case "cancelled":
      return null;
  }
}
