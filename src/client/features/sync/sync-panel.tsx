import { isLiveSync } from "@shared/sync.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { ArrowLeft, History } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { AccountFilter } from "@/components/sync/account-filter";
import { type ChosenChanges, RunChanges, runTitle } from "@/components/sync/run-changes-dialog";
import { RunItem } from "@/components/sync/run-item";
import { SyncButton } from "@/components/sync/sync-button";
import { useConfigs } from "@/components/sync/use-configs";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { Pagination } from "@/components/ui/pagination";
import { Sheet, SheetContent } from "@/components/ui/sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import type { DialogProps } from "@/lib/use-dialog";
import { RunGroupItem } from "./run-group-item";
import { groupRuns, type RunGroup } from "./run-groups";
import { useSyncPanel } from "./use-sync-panel";

/** Runs of a page, before those that say the same are one line. */
const LIMIT = 50;

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
        <div className="flex min-h-8.5 flex-wrap items-center justify-between gap-2">
          <h3 className="font-semibold">同步记录</h3>
          <div className="flex gap-2">
            <Button variant="outline" asChild>
              <Link href="/changes">
                <History />
                最近变更
              </Link>
            </Button>
            <SyncButton variant="outline" />
          </div>
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
  const [configId, setConfigId] = useState<string>();
  const [page, setPage] = useState(1);
  const list = trpc.hosts.syncRuns.useQuery(
    { configId, page, limit: LIMIT },
    { placeholderData: keepPreviousData },
  );
  const isFirstPage = page === 1 && configId === undefined;
  const isOlder =
    runId !== undefined && isFirstPage && list.data?.runs.every(({ id }) => id !== runId) === true;
  const older = trpc.hosts.syncRun.useQuery({ id: runId ?? "" }, { enabled: isOlder });
  if (list.isPending) return <Skeleton className="h-60" />;
  if (list.isError) return <QueryError query={list} />;

  const { runs, pagination } = list.data;
  const shownRuns = isOlder && older.data ? [older.data, ...runs] : runs;

  return (
    <>
      <OptionalAccountFilter
        value={configId}
        onValueChange={(id) => {
          setConfigId(id);
          setPage(1);
        }}
      />
      {pagination.total === 0 ? (
        <NoRuns isFiltered={configId !== undefined} />
      ) : (
        <ul
          aria-label="同步记录"
          className={cn(
            "divide-y rounded-md border bg-card",
            list.isPlaceholderData && "opacity-60",
          )}
        >
          {groupRuns(shownRuns, runId).map((group) => (
            <li key={group.runs[0].id}>
              <RunsOfGroup group={group} openId={runId} onShowChanges={onShowChanges} />
            </li>
          ))}
        </ul>
      )}
      <Pagination label="同步记录分页" unit="次" {...pagination} onPageChange={setPage} />
    </>
  );
}

/** Left out where there is one account: then there is nothing to choose. */
function OptionalAccountFilter(props: Omit<ComponentProps<typeof AccountFilter>, "className">) {
  const accounts = useConfigs().data ?? [];
  return accounts.length < 2 ? null : <AccountFilter {...props} className="w-full sm:w-48" />;
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={History}
      title={isFiltered ? "该云账号暂无同步记录" : "暂无同步记录"}
      description="同步主机后，每次的结果都会留在这里。"
    />
  );
}

type RunsOfGroupProps = {
  group: RunGroup;
  openId: string | undefined;
  onShowChanges: (changes: ChosenChanges) => void;
};

function RunsOfGroup({ group, openId, onShowChanges }: RunsOfGroupProps) {
  if (group.kind !== "single") return <RunGroupItem group={group} onShowChanges={onShowChanges} />;

  const [run] = group.runs;
  return (
    <RunItem
      run={run}
      isOpen={run.id === openId || isLiveSync(run.status)}
      onShowChanges={onShowChanges}
    />
  );
}
