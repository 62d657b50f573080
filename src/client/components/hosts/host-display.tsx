import {
  HOST_STATUS_LABELS,
  type Host,
  type HostIp,
  type HostStatus,
  PREPAID_LABELS,
} from "@shared/hosts.ts";
import { trimText } from "@shared/invisible-text.ts";
import { isAdmin, isClient, type Role } from "@shared/roles.ts";
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

/**
 * The expiry that counts for a role, as on the dashboard: an admin's is the first of the own
 * clients'.
 */
function decisiveExpiry(
  role: Role,
  host: Pick<Host, "chargeType" | "expireTime" | "users">,
): number | null {
  return isAdmin(role)
    ? (firstExpiringUser(host)?.assignedExpireTime ?? null)
    : shownExpiry(role, host);
}

/** Whose assignment expires first. */
export function firstExpiringUser({
  users,
}: Pick<Host, "users">): Host["users"][number] | undefined {
  return users.toSorted((one, other) => one.assignedExpireTime - other.assignedExpireTime)[0];
}

type ExpiryBadgeProps = {
  /** Unix seconds; null draws nothing. */
  expiry: number | null;
  /** Which expiry it is, where nothing else says so. */
  name?: string;
  /** Leaves the days out, where they stand beside it. */
  withoutDays?: boolean;
};

export function ExpiryBadge({ expiry, name = "", withoutDays = false }: ExpiryBadgeProps) {
  const now = useNow();
  if (expiry === null) return null;

  const left = Math.abs(daysLeft(expiry, now));
  const days = !withoutDays && left > 0 ? ` ${formatNumber(left)} 天` : "";
  const { tone, label } = EXPIRY_BADGES[expiryState(expiry, now)];

  return (
    <Badge tone={tone}>
      {name === "" ? null : `${name} · `}
      {label}
      {days}
    </Badge>
  );
}

/** Of the expiry that counts for the role; a client has one only, which needs no name. */
export function HostExpiryBadge({ role, host }: { role: Role; host: Host }) {
  const names = { super_admin: "云端", admin: "用户", client: "" } as const;
  return <ExpiryBadge expiry={decisiveExpiry(role, host)} name={names[role]} />;
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
