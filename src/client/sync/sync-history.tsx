import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { ChevronRight, History } from "lucide-react";
import { useState } from "react";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Pagination } from "@/components/ui/pagination";
import { Skeleton } from "@/components/ui/skeleton";
import { formatAgo, formatDateTime } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { RunActions } from "./run-actions";
import { RunEnd } from "./run-card";
import { RunCounts } from "./run-counts";
import { RunErrors } from "./run-errors";
import { resultSentence, SYNC_STATUS_TONES } from "./run-facts";
import { progressSentence, RunElapsed } from "./run-progress";

const PAGE_LENGTH = 10;

type SyncHistoryProps = {
  /** Shown above already. */
  except: readonly string[];
};

export function SyncHistory({ except }: SyncHistoryProps) {
  const [page, setPage] = useState(1);
  const history = trpc.hosts.syncRuns.useQuery({ page, limit: PAGE_LENGTH }, { placeholderData: keepPreviousData });
  if (history.isPending) return <HistorySkeleton />;
  if (history.isError) {
    return (
      <ErrorState
        message={errorMessage(history.error)}
        onRetry={() => history.refetch()}
        isRetrying={history.isFetching}
      />
    );
  }
  const { runs, pagination } = history.data;
  const ended = runs.filter(({ id, status }) => !isLiveSync(status) && !except.includes(id));
  if (pagination.total === 0) {
    return <EmptyState icon={History} title="暂无同步记录" description="同步主机后，每次的结果都会留在这里。" />;
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ul className="divide-y rounded-md border bg-card empty:hidden">
        {ended.map((run) => (
          <li key={run.id}>
            <HistoryRow run={run} />
          </li>
        ))}
      </ul>
      <Pagination label="同步记录分页" unit="次" {...pagination} onPageChange={setPage} />
    </div>
  );
}

function HistoryRow({ run }: { run: SyncRun }) {
  const now = useNow();
  return (
    <details className="group/run">
      <summary className="flex list-none items-center gap-3 px-3.5 py-2.5 hover:bg-muted/60 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-4 shrink-0 text-muted-foreground transition-transform group-open/run:rotate-90"
        />
        <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
          <span className="flex items-center gap-2">
            <span className="truncate font-medium" title={run.configName}>
              {run.configName}
            </span>
            <Badge tone={SYNC_STATUS_TONES[run.status]}>{SYNC_STATUS_LABELS[run.status]}</Badge>
            <time
              dateTime={new Date(run.startedAt * 1000).toISOString()}
              title={formatDateTime(run.startedAt)}
              className="ml-auto shrink-0 text-xs text-muted-foreground"
            >
              {formatAgo(run.startedAt, now)}
            </time>
          </span>
          <span className="truncate text-sm text-muted-foreground tabular-nums">{resultSentence(run)}</span>
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3.5 pt-1 pb-3.5 pl-10.5">
        <RunCounts run={run} />
        <RunEnd run={run} />
        <RunErrors errors={run.errors} />
        <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-muted-foreground">
          <p className="tabular-nums">
            {progressSentence(run)} · 用时 <RunElapsed run={run} />
            <br />
            {formatDateTime(run.startedAt)} · {startedBy(run)}
          </p>
          <RunActions run={run} />
        </div>
      </div>
    </details>
  );
}

function startedBy(run: SyncRun): string {
  if (run.trigger === "schedule") return "定时同步";
  return run.requestedBy === null ? "手动同步" : `${run.requestedBy.name} 手动同步`;
}

function HistorySkeleton() {
  return (
    <div className="divide-y rounded-md border bg-card">
      {["a", "b", "c", "d"].map((key) => (
        <div key={key} className="grid gap-2 px-3.5 py-3">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-3.5 w-3/5" />
        </div>
      ))}
    </div>
  );
}
