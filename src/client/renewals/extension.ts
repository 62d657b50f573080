import type { Renewal } from "@shared/renewals.ts";
import { DAY_SECONDS } from "@shared/time.ts";

/** Where an assignment would end: `days` from the later of now and the present end. Unix seconds. */
export function extendedExpiry(expiry: number, days: number, now: number): number {
  return Math.max(expiry, now) + days * DAY_SECONDS;
}

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
