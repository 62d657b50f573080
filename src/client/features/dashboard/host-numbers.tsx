import type { ExpiryCounts, HostSummary } from "@shared/host-summary.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { EXPIRING_SOON_DAYS } from "@shared/time.ts";
import {
  CalendarClock,
  CalendarRange,
  CalendarX,
  CircleHelp,
  CloudOff,
  Inbox,
  RefreshCw,
  UserX,
} from "lucide-react";
import { trpc } from "@/api/trpc";
import { StatCard } from "@/components/stat-card";
import {
  isWorthAnotherRun,
  latestRuns,
  runProgress,
  SYNC_STATUS_TONES,
} from "@/components/sync/run-summary";
import { useSyncRuns } from "@/components/sync/use-sync";
import { formatAgo, formatPercent, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { StatusCard } from "./status-card";

/** Undefined while they load. */
type NumbersProps = { numbers: HostSummary | undefined };

/** What each role needs first, every number a link to its list. */
export function HostNumbers({ numbers }: NumbersProps) {
  const { role } = useCurrentUser();
  return isSuperAdmin(role) ? (
    <SuperAdminNumbers numbers={numbers} />
  ) : (
    <OwnNumbers numbers={numbers} />
  );
}

function SuperAdminNumbers({ numbers }: NumbersProps) {
  return (
    <section aria-label="概况" className="grid gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <StatusCard numbers={numbers} />
      <div className="grid content-start gap-3">
        <ExpiryStats title="用户到期" counts={numbers?.assigned} filter="assigned" />
        <ExpiryStats title="云端到期" counts={numbers?.provider} filter="provider" />
        <div className="grid grid-cols-2 gap-3 xl:grid-cols-3">
          <WaitingStat href="/renewals" />
          <StatCard
            label="待确认消失"
            value={numbers?.held ?? undefined}
            icon={CircleHelp}
            tone={numbers?.held ? "warning" : "neutral"}
            href="/hosts/held"
          />
          <StatCard
            label="未分配"
            value={numbers?.unassigned ?? undefined}
            icon={UserX}
            href="/hosts?assigned=false"
          />
          <StatCard
            label="已消失"
            value={numbers?.gone ?? undefined}
            icon={CloudOff}
            tone={numbers?.gone ? "danger" : "neutral"}
            href="/hosts?gone=true"
          />
          <LastSync />
        </div>
      </div>
    </section>
  );
}

/** The hosts of an admin's clients, or a client's own, by the expiry of their assignments. */
function OwnNumbers({ numbers }: NumbersProps) {
  const { role } = useCurrentUser();
  return (
    <section aria-label="概况" className="grid gap-3 lg:grid-cols-2">
      <StatusCard numbers={numbers} />
      <div className="grid content-start gap-3">
        <ExpiryStats
          title={isClient(role) ? "我的到期" : "用户到期"}
          counts={numbers?.assigned}
          filter="assigned"
        />
        {isClient(role) ? null : (
          <ExpiryStats title="云端到期" counts={numbers?.provider} filter={null} />
        )}
        <WaitingStat
          href={isClient(role) ? "/client/renewals?status=pending" : "/admin/renewals"}
        />
      </div>
    </section>
  );
}

const EXPIRY_FILTERS = {
  assigned: { expiring: "assignedExpiring", expired: "assignedExpired" },
  provider: { expiring: "expiring", expired: "expired" },
} as const;

type ExpiryStatsProps = {
  title: string;
  counts: ExpiryCounts | undefined;
  /**
   * The filters that the numbers lead to: of the assignment's expiry or the provider's; null for
   * those who may not filter.
   */
  filter: "assigned" | "provider" | null;
};

/** How many hosts expire soon or have expired, by one of the two clocks. */
function ExpiryStats({ title, counts, filter }: ExpiryStatsProps) {
  const link = (name: "expiring" | "expired", value: number | boolean) =>
    filter === null ? undefined : `/hosts?${EXPIRY_FILTERS[filter][name]}=${value}`;

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

/**
 * The number of pending requests; for the super admin with the age of the oldest, in every state,
 * so that the cards keep their height.
 */
function WaitingStat({ href }: { href: string }) {
  const isSuper = isSuperAdmin(useCurrentUser().role);
  const now = useNow();
  const { data, isError } = trpc.renewals.list.useQuery({
    page: 1,
    limit: 1,
    status: "pending",
    order: "asc",
  });

  function ageHint(): string {
    if (isError) return NOTHING;
    if (data === undefined) return "加载中...";

    const [oldest] = data.requests;
    return oldest === undefined ? "没有待处理的申请" : `最早 ${formatAgo(oldest.createdAt, now)}`;
  }

  return (
    <StatCard
      label="待处理续费"
      value={isError ? "" : data?.pagination.total}
      icon={Inbox}
      href={href}
      hint={isSuper ? ageHint() : null}
      tone={isSuper && data?.pagination.total ? "warning" : "neutral"}
    />
  );
}

function LastSync() {
  const now = useNow();
  const { isLoaded, recent, live } = useSyncRuns();
  // A configuration whose last run did not read everything needs somebody; otherwise the newest run
  // says it all.
  const run = live[0] ?? latestRuns(recent).find(isWorthAnotherRun) ?? recent[0];
  const card = {
    label: "最近同步",
    icon: RefreshCw,
    href: "/hosts?panel=sync",
    className: "col-span-2",
  };

  if (!isLoaded) return <StatCard {...card} value={undefined} hint="加载中..." />;
  if (run === undefined) return <StatCard {...card} value="" hint="尚未同步" />;

  return (
    <StatCard
      {...card}
      value={syncValue(run, recent, now)}
      hint={`${SYNC_STATUS_LABELS[run.status]} · ${run.configName}`}
      tone={SYNC_STATUS_TONES[run.status]}
    />
  );
}

function syncValue(run: SyncRun, recent: readonly SyncRun[], now: number): string {
  if (!isLiveSync(run.status)) return formatAgo(run.finishedAt ?? run.startedAt, now);
  const progress = runProgress(run, recent);
  return progress === null ? SYNC_STATUS_LABELS[run.status] : formatPercent(progress);
}
