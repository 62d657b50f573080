import { type Host, PREPAID_LABELS } from "@shared/hosts.ts";
import { trimText } from "@shared/invisible-text.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { formatMemory } from "@/lib/format";

export function hostTitle(host: Pick<Host, "name" | "ucloudId">): string {
  return trimText(host.name) === "" ? host.ucloudId : host.name;
}

/** `4 核 8 GB` */
export function hostSize(host: Pick<Host, "cpu" | "memory">): string {
  return `${host.cpu} 核 ${formatMemory(host.memory)}`;
}

/** Billed by time, so that the provider's expiry means nothing. */
export function isBilledByTime(host: Pick<Host, "chargeType">): boolean {
  return !PREPAID_LABELS.has(host.chargeType);
}

/**
 * The provider's expiry in Unix seconds; null for what is billed by time. Not for a client, whose
 * `expireTime` is the assignment's.
 */
export function providerExpiry(host: Pick<Host, "chargeType" | "expireTime">): number | null {
  return isBilledByTime(host) ? null : host.expireTime;
}

/**
 * The `expireTime` as a role sees it: to a client the assignment's, to the others the provider's.
 */
export function shownExpiry(
  role: Role,
  host: Pick<Host, "chargeType" | "expireTime">,
): number | null {
  return isClient(role) ? host.expireTime : providerExpiry(host);
}

/** Whose assignment expires first. */
export function firstExpiringUser({
  users,
}: Pick<Host, "users">): Host["users"][number] | undefined {
  return users.toSorted((one, other) => one.assignedExpireTime - other.assignedExpireTime)[0];
}
