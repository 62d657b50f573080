import type { Host, OpenRenewal } from "@shared/hosts.ts";
import type { Renewal } from "@shared/renewals.ts";
import { extendedExpiry } from "@shared/time.ts";
import { renewalTones } from "@/components/renewals/renewal-status-badge";
import { Badge } from "@/components/ui/badge";
import { formatDate } from "@/lib/format";

/** `待处理`, `待付款`: what an open request waits for. */
export function openRenewalText({ status }: Pick<Renewal, "status">): string {
  return status === "approved" ? "待付款" : "待处理";
}

export function OpenRenewalBadge({ renewal }: { renewal: Pick<OpenRenewal, "status"> }) {
  return <Badge tone={renewalTones[renewal.status]}>{openRenewalText(renewal)}</Badge>;
}

/** `续费后到 2026-12-31`, of a client's own host with an open request; else null. */
export function renewedText(
  { expireTime, openRenewal }: Pick<Host, "expireTime" | "openRenewal">,
  now: number,
): string | null {
  if (openRenewal === null || expireTime === null) return null;
  const end = extendedExpiry(expireTime, openRenewal.requestedDuration, now);
  return `续费后到 ${formatDate(end)}`;
}
