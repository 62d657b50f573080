import type { RenewalList } from "@shared/renewals.ts";
import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { EXPIRING_SOON_DAYS } from "@shared/time.ts";
import { CalendarClock, CalendarRange, CalendarX, CloudOff, Inbox, RefreshCw, UserX } from "lucide-react";
import type { BadgeTone } from "@/components/ui/badge";
import { StatCard } from "@/components/ui/stat-card";
import { formatAgo, formatPercent, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { trpc } from "@/trpc";
import { NumbersFailure } from "./numbers-failure";
import { StatusCard } from "./status-card";
import { useHostSummary } from "./use-host-summary";

/** What the super admin looks at first. */
export function OperatorNumbers() {
  const now = useNow();
  const summary = useHostSummary();
  const numbers = summary.data;
  const pending = trpc.renewals.list.useQuery({ page: 1, limit: 1, status: "pending", order: "asc" });
  const runs = trpc.hosts.syncRuns.useQuery({ page: 1, limit: 1 });
  if (summary.isLoadingError) {
    return <NumbersFailure error={summary.error} onRetry={() => summary.refetch()} isRetrying={summary.isFetching} />;
  }
  return (
    <section aria-label="概况" className="grid gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <StatusCard total={numbers?.total} counts={numbers?.byStatus} isTall />
      <div className="grid grid-cols-2 gap-3 xl:grid-cols-3">
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
        <StatCard label="未分配" value={numbers?.unassigned ?? undefined} icon={UserX} href="/hosts?assigned=false" />
        <StatCard
          label="待处理续费"
          value={pending.isError ? "" : pending.data?.pagination.total}
          hint={pending.isError ? NOTHING : pendingHint(pending.data, now)}
          icon={Inbox}
          tone={pending.data?.pagination.total ? "warning" : "neutral"}
          href="/renewals?status=pending"
        />
        <StatCard
          label="已过期"
          value={numbers?.expired}
          icon={CalendarX}
          tone={numbers?.expired ? "danger" : "neutral"}
          href="/hosts?expired=true"
        />
        <StatCard
          label="已消失"
          value={numbers?.gone ?? undefined}
          icon={CloudOff}
          tone={numbers?.gone ? "danger" : "neutral"}
          href="/hosts?gone=true"
        />
        <LastSync run={runs.data?.runs[0]} isLoading={runs.isPending} now={now} />
      </div>
    </section>
  );
}

/** A line in every state, one on phones too: the cards do not grow when it comes. */
function pendingHint(oldestFirst: RenewalList | undefined, now: number): string {
  if (oldestFirst === undefined) return "加载中...";
  const [oldest] = oldestFirst.requests;
  return oldest === undefined ? "没有待处理的申请" : `最早 ${formatAgo(oldest.createdAt, now)}`;
}

type LastSyncProps = { run: SyncRun | undefined; isLoading: boolean; now: number };

function LastSync({ run, isLoading, now }: LastSyncProps) {
  const shown =
    run === undefined
      ? { value: isLoading ? undefined : "", hint: isLoading ? "加载中..." : "尚未同步" }
      : lastSyncWords(run, now);
  return (
    <StatCard
      label="最近同步"
      icon={RefreshCw}
      tone={run === undefined ? "neutral" : toneOf(run)}
      href="/hosts?panel=sync"
      className="col-span-2 xl:col-span-3"
      {...shown}
    />
  );
}

function lastSyncWords(run: SyncRun, now: number): { value: string; hint: string } {
  if (!isLiveSync(run.status)) {
    return {
      value: formatAgo(run.finishedAt ?? run.startedAt, now),
      hint: `${SYNC_STATUS_LABELS[run.status]} · ${run.configName}`,
    };
  }
  const part = run.hostsTotal === 0 ? null : formatPercent(Math.min(1, run.hostsSeen / run.hostsTotal));
  return {
    value: part ?? SYNC_STATUS_LABELS[run.status],
    hint: `${SYNC_STATUS_LABELS[run.status]} · ${run.configName}`,
  };
}

function toneOf({ status }: SyncRun): BadgeTone {
  switch (status) {
    case "queued":
    case "running":
      return "info";
    case "succeeded":
      return "success";
    case "partial":
    case "cancelled":
    case "interrupted":
      return "warning";
    case "failed":
      return "danger";
  }
}
