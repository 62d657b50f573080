import type { HostSummary } from "@shared/host-summary.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { EXPIRING_SOON_DAYS } from "@shared/time.ts";
import { CalendarClock, CalendarRange, CalendarX, CircleHelp, CloudOff, Inbox, RefreshCw, UserX } from "lucide-react";
import { trpc } from "@/api/trpc";
import { StatCard } from "@/components/stat-card";
import type { BadgeTone } from "@/components/ui/badge";
import { formatAgo, formatPercent, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { StatusCard } from "./status-card";

/** Undefined while they load. */
type NumbersProps = { numbers: HostSummary | undefined };

/** What each role needs first, every number a link to its list. */
export function HostNumbers({ numbers }: NumbersProps) {
  const { role } = useCurrentUser();
  return isSuperAdmin(role) ? <OperatorNumbers numbers={numbers} /> : <OwnNumbers numbers={numbers} />;
}

function OperatorNumbers({ numbers }: NumbersProps) {
  return (
    <section aria-label="概况" className="grid gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <StatusCard total={numbers?.total} counts={numbers?.byStatus} isTall />
      <div className="grid grid-cols-2 gap-3 xl:grid-cols-3">
        <ExpiringStats numbers={numbers} />
        <StatCard label="未分配" value={numbers?.unassigned ?? undefined} icon={UserX} href="/hosts?assigned=false" />
        <WaitingStat href="/renewals?status=pending" />
        <ExpiredStat numbers={numbers} />
        <StatCard
          label="已消失"
          value={numbers?.gone ?? undefined}
          icon={CloudOff}
          tone={numbers?.gone ? "danger" : "neutral"}
          href="/hosts?gone=true"
        />
        <StatCard
          label="待确认消失"
          value={numbers?.held ?? undefined}
          icon={CircleHelp}
          tone={numbers?.held ? "warning" : "neutral"}
          href="/hosts/held"
        />
        <LastSync />
      </div>
    </section>
  );
}

/** The hosts of an admin's clients, or a client's own, by the end of their assignments. */
function OwnNumbers({ numbers }: NumbersProps) {
  const { role } = useCurrentUser();
  const pending = trpc.renewals.list.useQuery({ page: 1, limit: 1, status: "pending" });
  return (
    <section aria-label="概况" className="grid gap-3 lg:grid-cols-2">
      <StatusCard total={numbers?.total} counts={numbers?.byStatus} />
      <div className="grid grid-cols-2 gap-3">
        <ExpiringStats numbers={numbers} />
        <ExpiredStat numbers={numbers} />
        <StatCard
          label="待处理续费"
          value={pending.isError ? "" : pending.data?.pagination.total}
          icon={Inbox}
          href={isClient(role) ? "/client/renewals?status=pending" : "/admin/renewals?status=pending"}
        />
      </div>
    </section>
  );
}

function ExpiringStats({ numbers }: NumbersProps) {
  return (
    <>
      <StatCard
        label={`${EXPIRING_SOON_DAYS} 天内到期`}
        value={numbers?.expiringSoon}
        icon={CalendarClock}
        tone={numbers?.expiringSoon ? "warning" : "neutral"}
        href={`/hosts?expiring=${EXPIRING_SOON_DAYS}`}
      />
      <StatCard
        label="30 天内到期"
        value={numbers?.expiringMonth}
        icon={CalendarRange}
        tone={numbers?.expiringMonth ? "info" : "neutral"}
        href="/hosts?expiring=30"
      />
    </>
  );
}

function ExpiredStat({ numbers }: NumbersProps) {
  return (
    <StatCard
      label="已过期"
      value={numbers?.expired}
      icon={CalendarX}
      tone={numbers?.expired ? "danger" : "neutral"}
      href="/hosts?expired=true"
    />
  );
}

/** The number of pending requests and the age of the oldest. The hint is there in every state, so that the cards keep their height. */
function WaitingStat({ href }: { href: string }) {
  const now = useNow();
  const { data, isError } = trpc.renewals.list.useQuery({ page: 1, limit: 1, status: "pending", order: "asc" });
  const oldest = data?.requests[0];
  const age = oldest === undefined ? "没有待处理的申请" : `最早 ${formatAgo(oldest.createdAt, now)}`;
  return (
    <StatCard
      label="待处理续费"
      value={isError ? "" : data?.pagination.total}
      hint={isError ? NOTHING : data === undefined ? "加载中..." : age}
      icon={Inbox}
      tone={data?.pagination.total ? "warning" : "neutral"}
      href={href}
    />
  );
}

function LastSync() {
  const now = useNow();
  const runs = trpc.hosts.syncRuns.useQuery({ page: 1, limit: 1 });
  const run = runs.data?.runs[0];
  const unknown = runs.isPending ? { value: undefined, hint: "加载中..." } : { value: "", hint: "尚未同步" };
  return (
    <StatCard
      label="最近同步"
      icon={RefreshCw}
      tone={run === undefined ? "neutral" : SYNC_TONES[run.status]}
      href="/hosts?panel=sync"
      className="xl:col-span-2"
      {...(run === undefined
        ? unknown
        : { value: syncValue(run, now), hint: `${SYNC_STATUS_LABELS[run.status]} · ${run.configName}` })}
    />
  );
}

function syncValue(run: SyncRun, now: number): string {
  if (!isLiveSync(run.status)) return formatAgo(run.finishedAt ?? run.startedAt, now);
  if (run.hostsTotal === 0) return SYNC_STATUS_LABELS[run.status];
  return formatPercent(Math.min(1, run.hostsSeen / run.hostsTotal));
}

const SYNC_TONES: Readonly<Record<SyncRun["status"], BadgeTone>> = {
  queued: "info",
  running: "info",
  succeeded: "success",
  partial: "warning",
  cancelled: "warning",
  interrupted: "warning",
  failed: "danger",
};
