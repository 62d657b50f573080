import { daysLeft, expiryState } from "@shared/time.ts";
import { Badge } from "@/components/ui/badge";
import { formatNumber } from "@/lib/format-number";

type ExpiryBadgeProps = {
  /** Unix seconds; null draws `fallback`. */
  expiry: number | null;
  now: number;
  /** What stands there when there is no end: 按时. */
  fallback?: string | null;
  /** `state` leaves the days out, where they stand beside it. */
  look?: "days" | "state";
};

export function ExpiryBadge({ expiry, now, fallback = null, look = "days" }: ExpiryBadgeProps) {
  if (expiry === null) return fallback === null ? null : <Badge>{fallback}</Badge>;
  const left = Math.abs(daysLeft(expiry, now));
  const days = look === "days" && left > 0 ? ` ${formatNumber(left)} 天` : "";
  switch (expiryState(expiry, now)) {
    case "expired":
      return <Badge tone="danger">已过期{days}</Badge>;
    case "expiring":
      return <Badge tone="warning">即将到期{days}</Badge>;
    case "normal":
      return <Badge tone="success">正常{days}</Badge>;
  }
}
