import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { X } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ProgressText, RunBar, RunElapsed } from "./run-progress";
import { countsText, resultText, SYNC_STATUS_TONES } from "./run-summary";
import { useSyncPanel, useVisibleRuns } from "./use-sync";

/** The runs of this moment above the host list, one line each, two on a phone. An ended one keeps its summary until it is closed. For super admins only. */
export function SyncProgressBar() {
  const { visibleRuns, dismiss } = useVisibleRuns();
  const { show } = useSyncPanel();
  if (visibleRuns.length === 0) return null;
  return (
    <section
      aria-label="同步进度"
      className="divide-y overflow-hidden rounded-md border bg-card shadow-xs print:hidden"
    >
      {visibleRuns.map((run) => (
        <RunLine key={run.id} run={run} onDetails={() => show(run.id)} onDismiss={() => dismiss(run.id)} />
      ))}
    </section>
  );
}

type RunLineProps = { run: SyncRun; onDetails: () => void; onDismiss: () => void };

function RunLine({ run, onDetails, onDismiss }: RunLineProps) {
  const isLive = isLiveSync(run.status);
  return (
    <div className="relative flex items-center gap-x-3 gap-y-0.5 py-2 pr-2 pl-4 text-sm max-sm:flex-wrap">
      <div className="flex min-w-0 items-center gap-x-3 max-sm:basis-full sm:max-w-1/2 sm:shrink-0">
        <span className="truncate font-medium" title={run.configName}>
          {run.configName}
        </span>
        <Badge tone={SYNC_STATUS_TONES[run.status]}>{SYNC_STATUS_LABELS[run.status]}</Badge>
        <span className="text-muted-foreground max-sm:ml-auto max-sm:pr-2">
          <RunElapsed run={run} />
        </span>
      </div>
      <span className="min-w-0 flex-1 text-muted-foreground tabular-nums max-sm:text-xs sm:truncate">
        {isLive ? <ProgressText run={run} /> : resultText(run)}
        {isLive && run.hostsSeen > 0 ? ` · ${countsText(run)}` : null}
      </span>
      <Button variant="ghost" size="sm" onClick={onDetails}>
        查看详情
      </Button>
      {isLive ? null : (
        <Button variant="ghost" size="sm" icon aria-label={`关闭 ${run.configName} 的同步结果`} onClick={onDismiss}>
          <X aria-hidden="true" />
        </Button>
      )}
      <span className="absolute inset-x-0 bottom-0">
        <RunBar run={run} size="xs" />
      </span>
    </div>
  );
}
