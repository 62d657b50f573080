import type { Host } from "@shared/hosts.ts";
import { formatExpiry } from "@/lib/format";
import { serverNow } from "@/lib/server-time";
import { hostTitle, providerExpiry } from "./host-facts";

/** Null unless a host expires at the provider before `end` (Unix seconds). */
export function providerExpiryWarning(hosts: readonly Host[], end: number): string | null {
  const sooner = hosts.filter((host) => (providerExpiry(host) ?? Number.POSITIVE_INFINITY) < end);
  const [first] = sooner;
  if (first === undefined) return null;
  if (hosts.length === 1) {
    const isExpired = (providerExpiry(first) ?? Number.POSITIVE_INFINITY) < serverNow();
    const deadline = isExpired ? "请尽快" : "请在此之前";
    return `该主机的云端到期时间是 ${formatExpiry(first.expireTime)}，早于分配的到期时间。${deadline}到云服务商处续费，否则用户将无法继续使用。`;
  }
  return `其中 ${sooner.length} 台主机的云端到期时间早于分配的到期时间（如 ${hostTitle(first)}：${formatExpiry(first.expireTime)}），请留意到云服务商处续费。`;
}
