import { chargeTypeLabel, type Host } from "@shared/hosts.ts";
import type { Role } from "@shared/roles.ts";

/** Whether the host is paid for by time, so that an end given by the provider means nothing. */
export function isBilledByTime(host: Pick<Host, "chargeType">): boolean {
  return chargeTypeLabel(host.chargeType) === "按时";
}

/** The end that counts for whoever looks, in Unix seconds: a client's own, else the provider's for what is prepaid. */
export function expiryFor(role: Role, host: Pick<Host, "chargeType" | "expireTime">): number | null {
  return role !== "client" && isBilledByTime(host) ? null : host.expireTime;
}
