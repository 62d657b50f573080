import { type Host, PREPAID_LABELS } from "@shared/hosts.ts";
import { trimText } from "@shared/invisible-text.ts";
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

/** Whose assignment expires first. */
export function firstExpiringUser({
  users,
}: Pick<Host, "users">): Host["users"][number] | undefined {
  return users.toSorted((one, other) => one.assignedExpireTime - other.assignedExpireTime)[0];
}

/** The host as the one user whose hosts are listed has it: nobody else counts there. */
export function hostOfUser(host: Host, userId: string | undefined): Host {
  if (userId === undefined) return host;
  return { ...host, users: host.users.filter(({ id }) => id === userId) };
}

/** The user whose hosts are listed, else whoever has the host for the shortest time. */
export function shownUser(
  host: Pick<Host, "users">,
  userId: string | undefined,
): Host["users"][number] | undefined {
  if (userId === undefined) return firstExpiringUser(host);
  return host.users.find(({ id }) => id === userId);
}
