import type { ExpiryCounts, HostSummary, ProviderExpiryCounts } from "@shared/host-summary.ts";
import { isClient } from "@shared/roles.ts";
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
import type { ReactNode } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { StatCard } from "@/components/stat-card";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";
import { useCurrentUser } from "@/session/session";
import { hostsHref } from "./hosts-href";
import { useFailedRenewals } from "./use-failed-renewals";

/** Undefined while they load. */
type NumbersProps = { numbers: HostSummary | undefined };

/** Both clocks, every number a link to its list. A client has one, the own. */
export function EndNumbers({ numbers, className }: NumbersProps & { className?: string }) {
  const { role } = useCurrentUser();
  if (isClient(role)) {
    return <ExpiryStats title="我的到期" counts={numbers?.assigned} filter="assigned" />;
  }

  return (
    <section aria-label="到期" className={cn("grid gap-3", className)}>
      <ExpiryStats title="用户到期" counts={numbers?.assigned} filter="assigned" />
      <ExpiryStats title="云端到期" counts={numbers?.provider} filter="provider">
        <RenewalsText counts={numbers?.provider} />
      </ExpiryStats>
    </section>
  );
}

/**
 * How many of the expired ones were to be renewed, and how many are left out of the numbers above
 * because the provider renews them by itself.
 */
function RenewalsText({ counts }: { counts: ProviderExpiryCounts | undefined }) {
  const failed = useFailedRenewals().data?.pagination.total ?? 0;
  const { renewing7 = 0, renewing30 = 0 } = counts ?? {};

  return (
    // Its line is there before the numbers are.
    <p className="col-span-full flex min-h-6 flex-wrap gap-x-4 text-sm tabular-nums">
      {failed === 0 ? null : (
        <TextLink href={hostsHref({ expired: true, autoRenew: true })} className="text-danger-ink">
          已过期的有 {formatNumber(failed)} 台自动续费未成功
        </TextLink>
      )}
      {renewing7 === 0 ? null : (
        <TextLink href={hostsHref({ expiring: EXPIRING_SOON_DAYS, autoRenew: true })}>
          {EXPIRING_SOON_DAYS} 天内另有 {formatNumber(renewing7)} 台将自动续费
        </TextLink>
      )}
      {renewing30 === 0 ? null : (
        <TextLink href={hostsHref({ expiring: 30, autoRenew: true })}>
          {renewing7 === 0
            ? `30 天内另有 ${formatNumber(renewing30)} 台将自动续费`
            : `30 天内 ${formatNumber(renewing30)} 台`}
        </TextLink>
      )}
    </p>
  );
}

type TextLinkProps = { href: string; className?: string; children: ReactNode };

function TextLink({ href, className = "text-muted-foreground", children }: TextLinkProps) {
  return (
    <Link
      href={href}
      className={cn("inline-block py-0.5 underline-offset-2 hover:underline", className)}
    >
      {children}
    </Link>
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
      href={hostsHref({ providerEndsFirst: true })}
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
      href={hostsHref({ assigned: false })}
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
      href={hostsHref({ gone: true })}
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

/** The lists that the numbers lead to. What ends soon at the provider is what is not renewed. */
const EXPIRY_LINKS = {
  assigned: {
    expiring: (days: number) => hostsHref({ assignedExpiring: days }),
    expired: hostsHref({ assignedExpired: true }),
  },
  provider: {
    expiring: (days: number) => hostsHref({ expiring: days, autoRenew: false }),
    expired: hostsHref({ expired: true }),
  },
} as const;

type ExpiryStatsProps = {
  title: string;
  counts: ExpiryCounts | undefined;
  /** Whose end is counted: the assignment's or the provider's. */
  filter: "assigned" | "provider";
  /** Below the numbers. */
  children?: ReactNode;
};

/** How many hosts expire soon or have expired, by one of the two clocks. */
function ExpiryStats({ title, counts, filter, children }: ExpiryStatsProps) {
  const links = EXPIRY_LINKS[filter];

  return (
    <section aria-label={title} className="grid grid-cols-2 gap-x-3 gap-y-1.5 sm:grid-cols-3">
      <h2 className="col-span-full text-sm font-medium text-muted-foreground">{title}</h2>
      <StatCard
        label={`${EXPIRING_SOON_DAYS} 天内到期`}
        value={counts?.expiring7}
        icon={CalendarClock}
        tone={counts?.expiring7 ? "warning" : "neutral"}
        href={links.expiring(EXPIRING_SOON_DAYS)}
      />
      <StatCard
        label="30 天内到期"
        value={counts?.expiring30}
        icon={CalendarRange}
        tone={counts?.expiring30 ? "info" : "neutral"}
        href={links.expiring(30)}
      />
      <StatCard
        label="已过期"
        value={counts?.expired}
        icon={CalendarX}
        tone={counts?.expired ? "danger" : "neutral"}
        href={links.expired}
        className="max-sm:col-span-2"
      />
      {children}
    </section>
  );
}
