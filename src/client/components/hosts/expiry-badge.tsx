import { countingEnd, lastAssignmentEnd, providerPeriod } from "@shared/host-ends.ts";
import type { Host } from "@shared/hosts.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { daysLeft, expiryState } from "@shared/time.ts";
import { Badge } from "@/components/ui/badge";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { earlyText, RENEWAL_FAILED } from "./period-note";

type ExpiryBadgeProps = {
  /** Unix seconds; null draws nothing. */
  expiry: number | null;
  /** Which expiry it is, where nothing else says so. */
  name?: string;
};

/** Of an end that is near or past. What is in order has no badge. */
function ExpiryBadge({ expiry, name = "" }: ExpiryBadgeProps) {
  const now = useNow();
  if (expiry === null) return null;

  const state = expiryState(expiry, now);
  if (state === "normal") return null;

  const left = Math.abs(daysLeft(expiry, now));
  const days = left > 0 ? ` ${formatNumber(left)} 天` : "";
  const { tone, label } = EXPIRY_BADGES[state];

  return (
    <Badge tone={tone}>
      {name === "" ? null : `${name} · `}
      {label}
      {days}
    </Badge>
  );
}

/** What is wrong with the end that counts, or that the provider ends before the client. */
export function HostExpiryBadge({ role, host }: { role: Role; host: Host }) {
  const now = useNow();
  const end = countingEnd(host, now);
  if (end === null) return null;
  if (isClient(role)) return <ExpiryBadge expiry={end.at} />;

  const period = providerPeriod(host, now);
  if (period?.renewal === "failed") return <Badge tone="danger">{RENEWAL_FAILED}</Badge>;

  const early = earlyText(period, lastAssignmentEnd(host));
  if (early !== null && expiryState(end.at, now) === "normal") {
    return <Badge tone="warning">{`云端${early}`}</Badge>;
  }
  return <ExpiryBadge expiry={end.at} name={END_NAMES[end.of]} />;
}

const END_NAMES = { assignment: "用户", provider: "云端" } as const;

const EXPIRY_BADGES = {
  expired: { tone: "danger", label: "已过期" },
  expiring: { tone: "warning", label: "即将到期" },
} as const;
