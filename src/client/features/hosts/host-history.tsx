import {
  HOST_ACT_LABELS,
  HOST_HISTORY_LABELS,
  type HostHistoryEntry,
  HostHistoryKind,
} from "@shared/host-history.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { localDate } from "@shared/shanghai.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { History, SearchX } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { TimeOfDay } from "@/components/history/changed-host";
import { FieldChanges } from "@/components/history/field-changes";
import { KIND_LOOKS } from "@/components/history/history-kinds";
import { FilterSelect } from "@/components/list-filters";
import { Remark } from "@/components/remark";
import { softTones } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Pagination } from "@/components/ui/pagination";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { useCurrentUser } from "@/session/session";

/** Entries of a page. */
const LIMIT = 20;

/** What happened to a host, newest first: its changes at the provider, and the acts of people. */
export function HostHistory({ hostId }: { hostId: string }) {
  const { role } = useCurrentUser();
  const [kind, setKind] = useState<HostHistoryKind>();
  const [page, setPage] = useState(1);
  const list = useHostHistory(hostId, kind, page);

  function choose(next: HostHistoryKind | undefined): void {
    setKind(next);
    setPage(1);
  }

  return (
    <Card>
      <CardHeader className="items-center">
        <CardTitle level={3} className="flex items-center gap-2">
          <History className="size-4 text-muted-foreground" />
          <span>历史</span>
        </CardTitle>
        <CardAction>
          <FilterSelect
            label="种类"
            all="全部种类"
            className="w-36"
            value={kind}
            onValueChange={choose}
            options={kindsFor(role).map((value) => ({ value, label: HOST_HISTORY_LABELS[value] }))}
          />
        </CardAction>
      </CardHeader>
      <CardContent className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Entries list={list} onShowAll={kind === undefined ? null : () => choose(undefined)} />
        {list.data === undefined ? null : (
          <Pagination label="历史分页" unit="条" {...list.data.pagination} onPageChange={setPage} />
        )}
      </CardContent>
    </Card>
  );
}

function useHostHistory(id: string, kind: HostHistoryKind | undefined, page: number) {
  return trpc.hosts.history.useQuery(
    { id, kind, page, limit: LIMIT },
    { placeholderData: keepPreviousData },
  );
}

/** To a client a host never moves: configurations and projects are not theirs to see. */
function kindsFor(role: Role): readonly HostHistoryKind[] {
  const kinds = HostHistoryKind.options;
  return isClient(role) ? kinds.filter((kind) => kind !== "moved") : kinds;
}

type EntriesProps = {
  list: ReturnType<typeof useHostHistory>;
  /** Null while no kind is chosen. */
  onShowAll: (() => void) | null;
};

function Entries({ list, onShowAll }: EntriesProps) {
  if (list.isPending) return <HistorySkeleton />;
  if (list.data === undefined) return <QueryError query={list} className="py-8" />;

  const { entries } = list.data;
  if (entries.length === 0 && onShowAll !== null) {
    return (
      <EmptyState
        icon={SearchX}
        title="没有这一种历史"
        className="py-8"
        action={
          <Button variant="outline" onClick={onShowAll}>
            查看全部种类
          </Button>
        }
      />
    );
  }
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={History}
        title="暂无历史"
        description="主机在云服务商处的变化、分配和续费会记录在这里。"
        className="py-8"
      />
    );
  }

  const days = [...Map.groupBy(entries, ({ at }) => localDate(at))];
  return (
    <div className={cn("grid gap-5", list.isPlaceholderData && "opacity-60")}>
      {days.map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h4 className="mb-3 text-sm font-medium text-muted-foreground tabular-nums">{day}</h4>
          <ol>
            {ofDay.map((entry) => (
              <Entry key={entry.id} entry={entry} entries={entries} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

type EntryProps = {
  entry: HostHistoryEntry;
  /** All of the page. */
  entries: readonly HostHistoryEntry[];
};

function Entry({ entry, entries }: EntryProps) {
  const { role } = useCurrentUser();
  const { kind, at, runId, changes, remark } = entry;
  const by = actorOf(entry, { role, entries });
  const { icon: Icon, tone } = KIND_LOOKS[kind];

  return (
    <li className="group/step relative flex gap-3 pb-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-8 bottom-1 left-3.5 w-px -translate-x-1/2 bg-border-strong group-last/step:hidden"
      />
      <span className={cn("grid size-7 shrink-0 place-items-center rounded-full", softTones[tone])}>
        <Icon className="size-3.5" />
      </span>
      <div className="grid min-w-0 flex-1 gap-1 pt-0.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="font-medium">{HOST_HISTORY_LABELS[kind]}</p>
          <TimeOfDay at={at} />
        </div>
        <FieldChanges changes={changes} />
        {by === null ? null : <p className="text-sm text-muted-foreground">{`操作人：${by}`}</p>}
        {remark ? (
          <p className="text-sm text-muted-foreground">
            <span>备注：</span>
            <Remark text={remark} />
          </p>
        ) : null}
        {runId === null ? null : (
          <Link
            href={`/hosts?panel=sync&run=${runId}`}
            className="w-fit text-sm text-primary-ink hover:underline"
          >
            查看这次同步
          </Link>
        )}
      </div>
    </li>
  );
}

type Reader = Pick<EntryProps, "entries"> & { role: Role };

/**
 * Who did it; null for what a sync found. The server names to a client nobody but itself, so what
 * only admins do is theirs; an open request is also cancelled when its host is taken back, in the
 * same second.
 */
function actorOf({ kind, at, actor }: HostHistoryEntry, { role, entries }: Reader): string | null {
  if (actor !== null) return actor.name;
  if (!Object.hasOwn(HOST_ACT_LABELS, kind)) return null;
  if (!isClient(role)) return "未记录";

  const isTakenBack = entries.some((other) => other.kind === "unassigned" && other.at === at);
  return kind === "renewal_cancelled" && !isTakenBack ? null : "管理员";
}

function HistorySkeleton() {
  return (
    <div role="status" aria-label="正在加载历史" className="grid gap-5">
      {[3, 2, 4].map((lines) => (
        <div key={lines} className="flex gap-3">
          <Skeleton className="size-7 rounded-full" />
          <SkeletonText lines={lines} className="flex-1 pt-1" />
        </div>
      ))}
    </div>
  );
}
