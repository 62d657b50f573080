import type { ExpiryCounts, HostSummary } from "@shared/host-summary.ts";
import { hasPermission, isClient } from "@shared/roles.ts";
import { EXPIRING_SOON_DAYS } from "@shared/time.ts";
import {
  CalendarClock,
  CalendarRange,
  CalendarX,
  CloudAlert,
  CloudOff,
  Inbox,
  UserX,
} from "lucide-react";
import { trpc } from "@/api/trpc";
import { StatCard } from "@/components/stat-card";
import { cn } from "@/lib/cn";
import { useCurrentUser } from "@/session/session";

/** Undefined while they load. */
type NumbersProps = { numbers: HostSummary | undefined };

/** Both clocks, every number a link to its list. A client has one, the own. */
export function EndNumbers({ numbers, className }: NumbersProps & { className?: string }) {
  const { role } = useCurrentUser();
  if (isClient(role)) {
    return <ExpiryStats title="我的到期" counts={numbers?.assigned} filter="assigned" />;
  }

  return (
    <section aria-label="到期" className={cn("grid gap-3 lg:grid-cols-2", className)}>
      <ExpiryStats title="用户到期" counts={numbers?.assigned} filter="assigned" />
      <ExpiryStats title="云端到期" counts={numbers?.provider} filter="provider" />
    </section>
  );
}

/** Hosts that the provider stops while their users still have time. */
export function ProviderEndsFirstStat({
  numbers,
  className = "",
}: NumbersProps & { className?: string }) {
  const count = numbers?.providerEndsFirst ?? undefined;
  return (
    <StatCard
      label="云端早于用户到期"
      value={count}
      icon={CloudAlert}
      tone={count ? "warning" : "neutral"}
      href="/hosts?providerEndsFirst=true&sort=expireTime"
      className={className}
    />
  );
}

export function UnassignedStat({ numbers }: NumbersProps) {
  return (
    <StatCard
      label="未分配"
      value={numbers?.unassigned ?? undefined}
      icon={UserX}
      href="/hosts?assigned=false&view=table"
    />
  );
}

export function GoneStat({ numbers }: NumbersProps) {
  return (
    <StatCard
      label="已消失"
      value={numbers?.gone ?? undefined}
      icon={CloudOff}
      tone={numbers?.gone ? "danger" : "neutral"}
      href="/hosts?gone=true"
    />
  );
}

/** The pending requests of the caller, or of an admin's clients. */
export function WaitingStat({ href }: { href: string }) {
  const pending = trpc.renewals.list.useQuery({ status: "pending", limit: 1 });
  return (
    <StatCard
      label="待处理续费"
      value={pending.isError ? "" : pending.data?.pagination.total}
      icon={Inbox}
      href={href}
    />
  );
}

const EXPIRY_FILTERS = {
  assigned: { expiring: "assignedExpiring", expired: "assignedExpired" },
  provider: { expiring: "expiring", expired: "expired" },
} as const;

type ExpiryStatsProps = {
  title: string;
  counts: ExpiryCounts | undefined;
  /** The filters that the numbers lead to: of the assignment's expiry or the provider's. */
  filter: "assigned" | "provider";
};

/** How many hosts expire soon or have expired, by one of the two clocks. */
function ExpiryStats({ title, counts, filter }: ExpiryStatsProps) {
  const { role } = useCurrentUser();
  // Who can extend what ends chooses it in the table.
  const view = filter === "assigned" && hasPermission(role, "hosts:assign") ? "&view=table" : "";
  const link = (name: "expiring" | "expired", value: number | boolean) =>
    `/hosts?${EXPIRY_FILTERS[filter][name]}=${value}${view}`;

  return (
    <section aria-label={title} className="grid grid-cols-2 gap-x-3 gap-y-1.5 sm:grid-cols-3">
      <h2 className="col-span-full text-sm font-medium text-muted-foreground">{title}</h2>
      <StatCard
        label={`${EXPIRING_SOON_DAYS} 天内到期`}
        value={counts?.expiring7}
        icon={CalendarClock}
        tone={counts?.expiring7 ? "warning" : "neutral"}
        href={link("expiring", EXPIRING_SOON_DAYS)}
      />
      <StatCard
        label="30 天内到期"
        value={counts?.expiring30}
        icon={CalendarRange}
        tone={counts?.expiring30 ? "info" : "neutral"}
        href={link("expiring", 30)}
      />
      <StatCard
        label="已过期"
        value={counts?.expired}
        icon={CalendarX}
        tone={counts?.expired ? "danger" : "neutral"}
        href={link("expired", true)}
        className="max-sm:col-span-2"
      />
    </section>
  );
}
