import type { Host } from "@shared/hosts.ts";
import type { Role } from "@shared/roles.ts";
import { daysLeft, expiryState } from "@shared/time.ts";
import { Badge } from "@/components/ui/badge";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { hostEnds } from "./host-facts";

type ExpiryBadgeProps = {
  /** Unix seconds; null draws nothing. */
  expiry: number | null;
  /** Which expiry it is, where nothing else says so. */
  name?: string;
  /** Grey instead of green, beside an end that needs attention. */
  isMuted?: boolean;
  /** Leaves the days out, where they stand beside it. */
  withoutDays?: boolean;
};

export function ExpiryBadge(props: ExpiryBadgeProps) {
  const { expiry, name = "", isMuted = false, withoutDays = false } = props;
  const now = useNow();
  if (expiry === null) return null;

  const left = Math.abs(daysLeft(expiry, now));
  const days = !withoutDays && left > 0 ? ` ${formatNumber(left)} 天` : "";
  const state = expiryState(expiry, now);
  const { tone, label } = EXPIRY_BADGES[state];

  return (
    <Badge tone={isMuted && state === "normal" ? "neutral" : tone}>
      {name === "" ? null : `${name} · `}
      {label}
      {days}
    </Badge>
  );
}

/** Of the sooner end. */
export function HostExpiryBadge({ role, host }: { role: Role; host: Host }) {
  const [first] = hostEnds(role, host);
  return first === undefined ? null : <ExpiryBadge expiry={first.at} name={first.name} />;
}

/** Of every end. The sooner one stands first, and a later one does not look better beside it. */
export function HostExpiryBadges({ role, host }: { role: Role; host: Host }) {
  const now = useNow();
  const ends = hostEnds(role, host);
  const isCalm = ends.every(({ at }) => expiryState(at, now) === "normal");

  return ends.map(({ name, at }) => (
    <ExpiryBadge key={name} expiry={at} name={name} isMuted={!isCalm} />
  ));
}

const EXPIRY_BADGES = {
  expired: { tone: "danger", label: "已过期" },
  expiring: { tone: "warning", label: "即将到期" },
  normal: { tone: "success", label: "正常" },
} as const;
