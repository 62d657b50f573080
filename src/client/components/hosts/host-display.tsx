import {
  HOST_STATUS_LABELS,
  type Host,
  type HostIp,
  type HostStatus,
  PREPAID_LABELS,
} from "@shared/hosts.ts";
import { trimText } from "@shared/invisible-text.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { daysLeft, expiryState } from "@shared/time.ts";
import { trpc } from "@/api/trpc";
import { CopyableText } from "@/components/copyable-text";
import { Badge, type BadgeTone, StatusDot } from "@/components/ui/badge";
import { formatMemory, NOTHING } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";

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

/** One of the clocks that a host runs by. */
interface HostEnd {
  /** Whose end it is; a client has one only, which needs no name. */
  readonly name: "用户" | "云端" | "";
  /** Unix seconds. */
  readonly at: number;
}

/** When the host ends for whom, the sooner end first. */
export function hostEnds(
  role: Role,
  host: Pick<Host, "chargeType" | "expireTime" | "users">,
): HostEnd[] {
  if (isClient(role)) return host.expireTime === null ? [] : [{ name: "", at: host.expireTime }];

  const userEnd = firstExpiringUser(host)?.assignedExpireTime;
  const providerEnd = providerExpiry(host);
  const ends: HostEnd[] = [];
  if (userEnd !== undefined) ends.push({ name: "用户", at: userEnd });
  if (providerEnd !== null) ends.push({ name: "云端", at: providerEnd });
  return ends.toSorted((one, other) => one.at - other.at);
}

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

type HostStatusProps = { host: Pick<Host, "status" | "goneAt"> };

export const STATUS_TONES: Readonly<Record<HostStatus, BadgeTone>> = {
  Running: "success",
  Stopped: "neutral",
  Starting: "info",
  Stopping: "info",
  Rebooting: "info",
  Unknown: "warning",
};

export function HostStatusBadge({ host: { status, goneAt } }: HostStatusProps) {
  if (goneAt !== null) return <Badge tone="danger">已消失</Badge>;
  return (
    <Badge dot tone={STATUS_TONES[status]}>
      {HOST_STATUS_LABELS[status]}
    </Badge>
  );
}

/** "…" while it loads. For super admins only. */
export function ConfigName({ id }: { id: string | null }) {
  const configs = trpc.configs.list.useQuery();
  if (id === null) return <span className="text-subtle-foreground">{NOTHING}</span>;

  const name = configs.data?.find((config) => config.id === id)?.name ?? "…";
  return <span title={name}>{name}</span>;
}

export function HostStatusDot({ host: { status, goneAt } }: HostStatusProps) {
  const tone = goneAt === null ? STATUS_TONES[status] : "danger";
  return (
    <>
      <StatusDot tone={tone} pulse={tone === "info"} />
      <span className="sr-only">{goneAt === null ? HOST_STATUS_LABELS[status] : "已消失"}</span>
    </>
  );
}

const IP_KINDS: ReadonlyMap<string, string> = new Map([
  ["Private", "内网"],
  ["International", "国际"],
  ["Bgp", "BGP"],
]);

/** The provider's word where we have none. */
export function ipKind({ Type }: HostIp): string {
  return IP_KINDS.get(Type) ?? Type;
}

/** Public addresses first. */
export function sortedIps(ips: readonly HostIp[]): HostIp[] {
  return ips.toSorted((a, b) => Number(a.Type === "Private") - Number(b.Type === "Private"));
}

export function IpText({ ip }: { ip: HostIp }) {
  return <CopyableText text={ip.IP} label={`${ipKind(ip)} IP ${ip.IP}`} />;
}
