import { isLiveSync } from "@shared/sync.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { ArrowLeft, History } from "lucide-react";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { type ChosenChanges, RunChanges, runTitle } from "@/components/sync/run-changes-dialog";
import { RunItem } from "@/components/sync/run-item";
import { SyncButton } from "@/components/sync/sync-button";
import { RECENT } from "@/components/sync/use-sync";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { Pagination } from "@/components/ui/pagination";
import { Sheet, SheetContent } from "@/components/ui/sheet";
import { Skeleton } from "@/components/ui/skeleton";
import type { DialogProps } from "@/lib/use-dialog";
import { useSyncPanel } from "./use-sync-panel";

/** All runs, newest first. */
export function SyncPanel(props: DialogProps) {
  return (
    <Sheet {...props}>
      <SheetContent size="lg">
        <PanelContent onLeave={() => props.onOpenChange(false)} />
      </SheetContent>
    </Sheet>
  );
}

/** The runs, or in their place what one of them changed: no window lies over the panel. */
function PanelContent({ onLeave }: { onLeave: () => void }) {
  const [changes, setChanges] = useState<ChosenChanges | null>(null);

  return (
    <>
      <DialogHeader
        title={changes === null ? "主机同步" : "同步的变化"}
        description={
          changes === null
            ? "从云服务商读取主机的最新状态，关闭此面板不会影响同步。"
            : runTitle(changes.run)
        }
      />
      {/* Hidden, not gone: what was opened and scrolled to is there on the way back. */}
      <DialogBody
        hidden={changes !== null}
        className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 [&[hidden]]:hidden"
      >
        <div className="flex min-h-8.5 items-center justify-between gap-3">
          <h3 className="font-semibold">同步记录</h3>
          <SyncButton variant="outline" />
        </div>
        <SyncRuns onShowChanges={setChanges} />
      </DialogBody>
      {changes === null ? null : (
        <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
          <Button
            variant="outline"
            size="sm"
            className="w-fit"
            // The focus was on a count, which is out of sight now.
            autoFocus
            onClick={() => setChanges(null)}
          >
            <ArrowLeft />
            返回同步记录
          </Button>
          <RunChanges {...changes} onLeave={onLeave} />
        </DialogBody>
      )}
    </>
  );
}

/**
 * Live runs and the run of the address are open; the latter comes first when it is older than the
 * newest page.
 */
function SyncRuns({ onShowChanges }: { onShowChanges: (changes: ChosenChanges) => void }) {
  const { runId } = useSyncPanel();
  const [page, setPage] = useState(1);
  const list = trpc.hosts.syncRuns.useQuery(
    { ...RECENT, page },
    { placeholderData: keepPreviousData },
  );
  const isOlder =
    runId !== undefined && page === 1 && list.data?.runs.every(({ id }) => id !== runId) === true;
  const older = trpc.hosts.syncRun.useQuery({ id: runId ?? "" }, { enabled: isOlder });
  if (list.isPending) return <Skeleton className="h-60" />;
  if (list.isError) return <QueryError query={list} />;

  const { runs, pagination } = list.data;
  if (pagination.total === 0) {
    return (
      <EmptyState
        icon={History}
        title="暂无同步记录"
        description="同步主机后，每次的结果都会留在这里。"
      />
    );
  }

  const shownRuns = isOlder && older.data ? [older.data, ...runs] : runs;

  return (
    <>
      <ul aria-label="同步记录" className="divide-y rounded-md border bg-card">
        {shownRuns.map((run) => (
          <li key={run.id}>
            <RunItem
              run={run}
              isOpen={run.id === runId || isLiveSync(run.status)}
              onShowChanges={onShowChanges}
            />
          </li>
        ))}
      </ul>
      <Pagination label="同步记录分页" unit="次" {...pagination} onPageChange={setPage} />
    </>
  );
}
