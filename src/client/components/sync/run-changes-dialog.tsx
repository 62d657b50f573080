import { HOST_CHANGE_LABELS, HostChangeKind } from "@shared/host-history.ts";
import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { History, SearchX } from "lucide-react";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { ChangedHost } from "@/components/history/changed-host";
import { FilterSelect, SearchBox } from "@/components/list-filters";
import { Dialog, DialogBody, DialogContent, DialogHeader } from "@/components/ui/dialog";
import { Pagination } from "@/components/ui/pagination";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { formatDateTime } from "@/lib/format";
import type { DialogState } from "@/lib/use-dialog";

/** Hosts of a page. */
const LIMIT = 50;
/** The changes of a live run are asked for again so often. */
const POLL_MS = 5000;

export interface ChosenChanges {
  readonly run: SyncRun;
  /** The kind that is shown first; undefined for all. */
  readonly kind: HostChangeKind | undefined;
}

/** What a run did to each host, in a window of its own. */
export function RunChangesDialog({ subject, ...dialog }: DialogState<ChosenChanges>) {
  const { run } = subject;
  return (
    <Dialog {...dialog}>
      <DialogContent size="xl">
        <DialogHeader title="同步的变化" description={runTitle(run)} />
        <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
          <RunChanges {...subject} onLeave={() => dialog.onOpenChange(false)} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

/** Which run it was. */
export function runTitle({ configName, startedAt }: SyncRun): string {
  return `${configName} · ${formatDateTime(startedAt)}`;
}

type RunChangesProps = ChosenChanges & {
  /** A link to one of the hosts was followed. */
  onLeave: () => void;
};

/** What a run did to each host, field by field. Another count leads to its own kind. */
export function RunChanges(props: RunChangesProps) {
  return <ChangesOfKind key={`${props.run.id} ${props.kind}`} {...props} />;
}

function ChangesOfKind({ run, kind: firstKind, onLeave }: RunChangesProps) {
  const [kind, setKind] = useState(firstKind);
  const [page, setPage] = useState(1);
  const [search, setSearch] = useState("");
  const list = useRunChanges(run, { kind, search, page });

  return (
    <>
      <div className="flex flex-wrap gap-2">
        <FilterSelect
          label="变化的种类"
          all="全部变化"
          className="w-36"
          value={kind}
          onValueChange={(next) => {
            setKind(next);
            setPage(1);
          }}
          options={HostChangeKind.options.map((value) => ({
            value,
            label: HOST_CHANGE_LABELS[value],
          }))}
        />
        <SearchBox
          label="搜索变化"
          placeholder="搜索名称、资源 ID 或变化的值"
          value={search}
          onSearch={(text) => {
            setSearch(text);
            setPage(1);
          }}
          className="min-w-48 flex-1"
        />
      </div>
      <ChangeList list={list} isSearch={search !== ""} onLeave={onLeave} />
      {list.data === undefined ? null : (
        <Pagination label="变化分页" unit="台" {...list.data.pagination} onPageChange={setPage} />
      )}
    </>
  );
}

type ChangesFilter = { kind: HostChangeKind | undefined; search: string; page: number };

function useRunChanges(run: SyncRun, filter: ChangesFilter) {
  return trpc.hosts.syncRunChanges.useQuery(
    { id: run.id, limit: LIMIT, ...filter },
    { placeholderData: keepPreviousData, refetchInterval: isLiveSync(run.status) && POLL_MS },
  );
}

type ChangeListProps = {
  list: ReturnType<typeof useRunChanges>;
  isSearch: boolean;
  onLeave: () => void;
};

function ChangeList({ list, isSearch, onLeave }: ChangeListProps) {
  if (list.isPending) return <Skeleton className="h-80" />;
  if (list.data === undefined) return <QueryError query={list} className="py-8" />;

  const { changes, pagination } = list.data;
  if (pagination.total === 0 && isSearch) {
    return <EmptyState icon={SearchX} title="没有匹配的主机" className="py-8" />;
  }
  if (pagination.total === 0) {
    return (
      <EmptyState
        icon={History}
        title="没有变化"
        description="这次同步没有这种变化，或者它早于变化开始被记录的时间。"
        className="py-8"
      />
    );
  }

  return (
    <ul
      aria-label="主机的变化"
      className={cn("divide-y rounded-md border", list.isPlaceholderData && "opacity-60")}
    >
      {changes.map((change) => (
        <ChangedHost key={`${change.hostId} ${change.kind}`} change={change} onLeave={onLeave} />
      ))}
    </ul>
  );
}
