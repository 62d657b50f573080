import type { Config } from "@shared/configs.ts";
import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { Link } from "wouter";
import { Badge } from "@/components/ui/badge";
import { formatAgo, formatDateTime } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { hasHeldHosts, resultText, SYNC_STATUS_TONES } from "@/sync/run-facts";
import { ProgressText, RunBar } from "@/sync/run-progress";
import { useSyncPanel, useSyncRuns } from "@/sync/use-sync";

/** The newest word on this configuration: what the live stream says, else what the list said. */
export function useLastSync(config: Config): SyncRun | null {
  const { recent } = useSyncRuns();
  return recent.find(({ configId }) => configId === config.id) ?? config.lastSync;
}

export function ConfigLastSync({ run }: { run: SyncRun | null }) {
  const now = useNow();
  if (run === null) return <p className="text-sm text-muted-foreground">还没有同步过</p>;
  if (isLiveSync(run.status)) {
    return (
      <div className="grid gap-1.5">
        <RunBar key={run.id} run={run} size="sm" />
        <p className="text-sm text-muted-foreground tabular-nums">
          <ProgressText run={run} />
        </p>
      </div>
    );
  }
  const at = run.finishedAt ?? run.startedAt;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <Badge tone={SYNC_STATUS_TONES[run.status]}>{SYNC_STATUS_LABELS[run.status]}</Badge>
      <time className="text-xs text-muted-foreground" title={formatDateTime(at)}>
        {formatAgo(at, now)}
      </time>
      {/* Below them where it is long, and whole: what has to be mended often stands at the end of it. */}
      <span className="text-muted-foreground tabular-nums [overflow-wrap:anywhere]">{resultText(run)}</span>
      {hasHeldHosts(run) ? <HeldHosts run={run} /> : null}
    </div>
  );
}

function HeldHosts({ run: { id, configId } }: { run: SyncRun }) {
  const { show } = useSyncPanel();
  return (
    <p className="basis-full text-warning-ink">
      有主机暂缓移除，请
      <Link href={`/hosts/held?configId=${configId}`} className="underline underline-offset-2">
        确认或保留
      </Link>
      ，或
      <button type="button" className="underline underline-offset-2" onClick={() => show(id)}>
        查看同步详情
      </button>
    </p>
  );
}
