import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { ChevronRight, History } from "lucide-react";
import { useState } from "react";
import { useConnectionState } from "@/api/live-updates";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { RelativeTime } from "@/components/relative-time";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { Pagination } from "@/components/ui/pagination";
import { Sheet, SheetContent } from "@/components/ui/sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { formatDateTime } from "@/lib/format";
import type { DialogProps } from "@/lib/use-dialog";
import { RunActions, RunCard, RunDetails } from "./run-card";
import { progressText, RunElapsed } from "./run-progress";
import { resultText, SYNC_STATUS_TONES } from "./run-summary";
import { SyncButton } from "./sync-button";
import { useSyncPanel, useVisibleRuns } from "./use-sync";

/** Live runs, what has just ended, and the history. */
export function SyncPanel(props: DialogProps) {
  return (
    <Sheet {...props}>
      <SheetContent size="lg">
        <DialogHeader title="主机同步" description="从云服务商读取主机的最新状态，关闭此面板不会影响同步。" />
        <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
          <PanelBody />
        </DialogBody>
      </SheetContent>
    </Sheet>
  );
}

function PanelBody() {
  const { visibleRuns } = useVisibleRuns();
  const runFromUrl = useRunFromUrl();
  const shown =
    runFromUrl === null || visibleRuns.some(({ id }) => id === runFromUrl.id)
      ? visibleRuns
      : [...visibleRuns, runFromUrl];
  const isAnyLive = visibleRuns.some(({ status }) => isLiveSync(status));
  return (
    <>
      <ConnectionNote />
      <section aria-label="当前同步" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex min-h-8.5 items-center justify-between gap-3">
          <h3 className="font-semibold">
            {isAnyLive || shown.length === 0 ? "正在同步" : visibleRuns.length === 0 ? "同步结果" : "刚刚结束"}
          </h3>
          <SyncButton variant="outline" />
        </div>
        {shown.length === 0 ? (
          <p className="rounded-md border border-dashed px-4 py-5 text-center text-sm text-muted-foreground">
            当前没有进行中的同步
          </p>
        ) : (
          shown.map((run) => <RunCard key={run.id} run={run} />)
        )}
      </section>
      <section aria-label="历史记录" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 className="font-semibold">历史记录</h3>
        <SyncHistory except={shown.map(({ id }) => id)} />
      </section>
    </>
  );
}

/** The run of the address, which may have ended long ago. */
function useRunFromUrl(): SyncRun | null {
  const { runId } = useSyncPanel();
  // Kept while the panel fades out.
  const [id, setId] = useState(runId);
  if (runId !== undefined && runId !== id) setId(runId);
  const run = trpc.hosts.syncRun.useQuery({ id: id ?? "" }, { enabled: id !== undefined });
  return run.data ?? null;
}

function ConnectionNote() {
  const state = useConnectionState();
  if (state === "live" || state === "connecting") return null;
  return (
    <Alert tone="warning" live title={state === "offline" ? "网络已断开" : "实时更新已断开，正在重新连接"}>
      {state === "offline"
        ? "同步仍在服务器上继续，网络恢复后会自动显示最新进度。"
        : "进度暂时每几秒查询一次；如果服务正在重启，进行中的同步会显示为已中断。"}
    </Alert>
  );
}

const PAGE_LENGTH = 10;

type SyncHistoryProps = {
  /** Shown above already. */
  except: readonly string[];
};

function SyncHistory({ except }: SyncHistoryProps) {
  const [page, setPage] = useState(1);
  const history = trpc.hosts.syncRuns.useQuery({ page, limit: PAGE_LENGTH }, { placeholderData: keepPreviousData });
  if (history.isPending) return <Skeleton className="h-60" />;
  if (history.isError) {
    return <QueryError query={history} />;
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
            <RelativeTime at={run.startedAt} className="ml-auto shrink-0 text-xs text-muted-foreground" />
          </span>
          <span className="truncate text-sm text-muted-foreground tabular-nums">{resultText(run)}</span>
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3.5 pt-1 pb-3.5 pl-10.5">
        <RunDetails run={run} />
        <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-muted-foreground">
          <p className="tabular-nums">
            {progressText(run)} · 用时 <RunElapsed run={run} />
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
