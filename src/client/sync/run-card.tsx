import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { Badge } from "@/components/ui/badge";
import { RunActions } from "./run-actions";
import { RunCounts } from "./run-counts";
import { RunErrors } from "./run-errors";
import { endSentence, hasHeldHosts, resultSentence, SYNC_STATUS_TONES } from "./run-facts";
import { ProgressSentence, RunBar, RunElapsed, RunPercent } from "./run-progress";

/** One run in full: while it goes on with its progress, afterwards with its summary. */
export function RunCard({ run }: { run: SyncRun }) {
  const isLive = isLiveSync(run.status);
  return (
    <article
      aria-label={`${run.configName} 的同步`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-md border bg-card p-4 shadow-xs"
    >
      {/* On a phone the time and the button take a line of their own where the name leaves them none. */}
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 truncate font-semibold" title={run.configName}>
          {run.configName}
        </h3>
        <Badge tone={SYNC_STATUS_TONES[run.status]}>{SYNC_STATUS_LABELS[run.status]}</Badge>
        <div className="ml-auto flex items-center gap-2">
          <span className="text-sm text-muted-foreground">
            <span className="sr-only">已用时 </span>
            <RunElapsed run={run} />
          </span>
          <RunActions run={run} />
        </div>
      </div>
      <div className="grid gap-1.5">
        <RunBar key={run.id} run={run} />
        <p className="flex justify-between gap-3 text-sm text-muted-foreground tabular-nums">
          <span>
            <ProgressSentence run={run} />
          </span>
          <span className="font-medium text-foreground">
            <RunPercent key={run.id} run={run} />
          </span>
        </p>
      </div>
      <RunCounts run={run} />
      <RunEnd run={run} />
      <RunErrors errors={run.errors} />
      <p role="status" className="sr-only">
        {isLive ? "" : `${run.configName} ${SYNC_STATUS_LABELS[run.status]}：${resultSentence(run)}`}
      </p>
    </article>
  );
}

export function RunEnd({ run }: { run: SyncRun }) {
  const sentence = endSentence(run);
  // The run's errors say it in more detail.
  const isSaid = (run.status === "interrupted" && run.errors.length > 0) || hasHeldHosts(run);
  return sentence === null || isSaid ? null : <p className="text-sm text-muted-foreground">{sentence}</p>;
}
