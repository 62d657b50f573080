import { isLiveSync } from "@shared/sync.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { Pagination } from "@/components/ui/pagination";
import { Sheet, SheetContent } from "@/components/ui/sheet";
import { Skeleton } from "@/components/ui/skeleton";
import type { DialogProps } from "@/lib/use-dialog";
import { RunItem } from "./run-item";
import { SyncButton } from "./sync-button";
import { RECENT, useSyncPanel, useVisibleRuns } from "./use-sync";

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
  const isAnyLive = visibleRuns.some(({ status }) => isLiveSync(status));
  return (
    <>
      <section aria-label="当前同步" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex min-h-8.5 items-center justify-between gap-3">
          <h3 className="font-semibold">{isAnyLive || visibleRuns.length === 0 ? "正在同步" : "刚刚结束"}</h3>
          <SyncButton variant="outline" />
        </div>
        {visibleRuns.length === 0 ? (
          <p className="rounded-md border border-dashed px-4 py-5 text-center text-sm text-muted-foreground">
            当前没有进行中的同步
          </p>
        ) : (
          visibleRuns.map((run) => (
            <article
              key={run.id}
              aria-label={`${run.configName} 的同步`}
              className="rounded-md border bg-card shadow-xs"
            >
              <RunItem run={run} isOpen />
            </article>
          ))
        )}
      </section>
      <section aria-label="历史记录" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 className="font-semibold">历史记录</h3>
        <SyncHistory except={visibleRuns.map(({ id }) => id)} />
      </section>
    </>
  );
}

type SyncHistoryProps = {
  /** Shown above already. */
  except: readonly string[];
};

/** The run of the address is open, and comes first when it is older than the newest page. */
function SyncHistory({ except }: SyncHistoryProps) {
  const { runId } = useSyncPanel();
  const [page, setPage] = useState(1);
  const history = trpc.hosts.syncRuns.useQuery({ ...RECENT, page }, { placeholderData: keepPreviousData });
  const isOlder = runId !== undefined && page === 1 && history.data?.runs.every(({ id }) => id !== runId) === true;
  const older = trpc.hosts.syncRun.useQuery({ id: runId ?? "" }, { enabled: isOlder });
  if (history.isPending) return <Skeleton className="h-60" />;
  if (history.isError) {
    return <QueryError query={history} />;
  }
  const { runs, pagination } = history.data;
  if (pagination.total === 0) {
    return <EmptyState icon={History} title="暂无同步记录" description="同步主机后，每次的结果都会留在这里。" />;
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ul className="divide-y rounded-md border bg-card empty:hidden">
        {[...(isOlder && older.data ? [older.data] : []), ...runs]
          .filter(({ id }) => !except.includes(id))
          .map((run) => (
            <li key={run.id}>
              <RunItem run={run} isOpen={run.id === runId} />
            </li>
          ))}
      </ul>
      <Pagination label="同步记录分页" unit="次" {...pagination} onPageChange={setPage} />
    </div>
  );
}
