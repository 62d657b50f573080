import { type Host, providerEnd, providerRenewal } from "./hosts.ts";
import { datesApart } from "./shanghai.ts";

/*
 * Two clocks run for a host: the provider's period and the client's assignment. The earlier end is
 * the one that counts, because the host is of no use to the client after it. A provider's end to
 * come does not count where the provider renews the host by itself. Once it has passed it counts in
 * any case: then the renewal did not happen, and the host may be lost within days.
 */

export type EndingHost = Pick<Host, "chargeType" | "expireTime" | "autoRenew" | "users" | "goneAt">;

export interface ProviderPeriod {
  /** Unix seconds, as everywhere here. */
  readonly end: number;
  /** Expected at an end to come. Failed: the end has passed although it was to be renewed. */
  readonly renewal: "none" | "expected" | "failed";
}

/**
 * Null for what has no end at the provider, and for a host that is gone there: nothing of it can
 * end or be renewed any more. Not for a client, who sees neither the provider's end nor its renewal:
 * there `expireTime` is the assignment's.
 */
export function providerPeriod(host: EndingHost, now: number): ProviderPeriod | null {
  const end = providerEnd(host);
  if (end === null || host.goneAt !== null) return null;
  if (providerRenewal(host) !== true) return { end, renewal: "none" };

  return { end, renewal: end < now ? "failed" : "expected" };
}

/** Of those who have the host, the end of whoever has it for the shortest time. */
function firstAssignmentEnd({ users }: Pick<Host, "users">): number | null {
  const ends = users.map(({ assignedExpireTime }) => assignedExpireTime);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Of those who have the host, the end of whoever has it for the longest time. */
export function lastAssignmentEnd({ users }: Pick<Host, "users">): number | null {
  const ends = users.map(({ assignedExpireTime }) => assignedExpireTime);
  return ends.length === 0 ? null : Math.max(...ends);
}

export interface CountingEnd {
  readonly of: "assignment" | "provider";
  readonly at: number;
}

/** Null where nothing ends: not assigned, and billed by time or renewed by itself. */
export function countingEnd(host: EndingHost, now: number): CountingEnd | null {
  const assigned = firstAssignmentEnd(host);
  const period = providerPeriod(host, now);
  const provider = period === null || period.renewal === "expected" ? null : period.end;

  if (provider !== null && (assigned === null || provider < assigned)) {
    return { of: "provider", at: provider };
  }
  return assigned === null ? null : { of: "assignment", at: assigned };
}

/**
 * How many days the provider ends before `until`, the end of an assignment, as their dates tell: 0
 * where both are on one date. Null where the provider does not end first, or renews the host by
 * itself. Of several clients the last end is meant: `providerEndsFirst` counts and finds a host as
 * soon as one of them has it longer.
 */
export function daysMissing(period: ProviderPeriod | null, until: number | null): number | null {
  if (period === null || until === null || period.renewal === "expected") return null;
  return period.end < until ? datesApart(period.end, until) : null;
}
