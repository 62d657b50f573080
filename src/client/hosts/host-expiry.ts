import { type Host, PREPAID_LABELS } from "@shared/hosts.ts";
import type { Role } from "@shared/roles.ts";

/** Whether the host is paid for by time, so that an end given by the provider means nothing. */
export function isBilledByTime(host: Pick<Host, "chargeType">): boolean {
  return !PREPAID_LABELS.has(host.chargeType);
}

/** The provider's end for what is prepaid, in Unix seconds; a client is told of the own end alone. */
export function billedUntil(role: Role, host: Pick<Host, "chargeType" | "expireTime">): number | null {
  return role !== "client" && isBilledByTime(host) ? null : host.expireTime;
}

/** The end that counts for whoever looks, as the dashboard counts it: for an admin the first of the own clients'. */
export function expiryFor(role: Role, host: Pick<Host, "chargeType" | "expireTime" | "users">): number | null {
  return role === "admin" ? (soonestUser(host)?.assignedExpireTime ?? null) : billedUntil(role, host);
}

/** Whose time ends first. */
export function soonestUser({ users }: Pick<Host, "users">): Host["users"][number] | undefined {
  return users.toSorted((one, other) => one.assignedExpireTime - other.assignedExpireTime)[0];
}
