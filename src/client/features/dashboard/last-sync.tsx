import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { RefreshCw } from "lucide-react";
import { Link } from "wouter";
import { runProgress } from "@/components/sync/run-summary";
import { useSyncRuns } from "@/components/sync/use-sync";
import { formatAgo, formatPercent } from "@/lib/format";
import { useNow } from "@/lib/use-now";

/** How old the hosts on this page are; leads to the panel. What went wrong is among the tasks. */
export function LastSync() {
  const now = useNow();
  const { isLoaded, recent, live } = useSyncRuns();
  const run = live[0] ?? recent[0];
  if (!isLoaded || run === undefined) return null;

  return (
    <Link
      href="/hosts?panel=sync"
      className="-my-1 flex min-h-6 items-center gap-1.5 rounded-sm py-1 text-sm text-muted-foreground hover:text-foreground hover:underline"
    >
      <RefreshCw className="size-3.5 shrink-0" />
      <span className="tabular-nums">最近同步 {syncText(run, recent, now)}</span>
    </Link>
  );
}

function syncText(run: SyncRun, recent: readonly SyncRun[], now: number): string {
  if (!isLiveSync(run.status)) return formatAgo(run.finishedAt ?? run.startedAt, now);

  const progress = runProgress(run, recent);
  return progress === null ? SYNC_STATUS_LABELS[run.status] : formatPercent(progress);
}
