import { keepPreviousData } from "@tanstack/react-query";
import { History } from "lucide-react";
import { trpc } from "@/api/trpc";
import { DaySections } from "@/components/day-sections";
import { ChangedHost } from "@/components/history/changed-host";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { boundsOf, isReversed } from "@/components/period/period";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { ChangesFilters, useChangesSearch } from "./changes-filters";

/** Changes of a page. */
const LIMIT = 50;

/** What happened to hosts at the provider, over all accounts. Events about hosts refetch it. */
export function ChangesPage() {
  const search = useChangesSearch();
  const { period, fromDate, toDate } = search.params;
  const bounds = boundsOf({ period, fromDate, toDate }, useNow());
  const to = isReversed(bounds) ? undefined : bounds.to;
  const list = trpc.hosts.changes.useQuery(
    // The filter says that the last day is no good.
    { ...search.input, from: bounds.from, to, limit: LIMIT },
    { placeholderData: keepPreviousData },
  );

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="最近变更"
        description="每次同步在云服务商处发现的变化：新增、消失，以及逐个字段的旧值和新值。记录保留 400 天。"
        aside={
          list.data ? (
            <Badge className="tabular-nums">{formatNumber(list.data.pagination.total)} 条</Badge>
          ) : null
        }
      />
      <ChangesFilters search={search} />
      <ListView
        list={list}
        search={search}
        noun="变化"
        empty={{
          icon: History,
          title: "这段时间没有变化",
          description: "同步发现主机有变化后，会立即出现在这里。",
          action:
            period === "today" || period === "yesterday" ? (
              <Button variant="outline" onClick={() => search.setFilters({ period: "week" })}>
                查看 7 天
              </Button>
            ) : undefined,
        }}
      >
        {(page) =>
          page === undefined ? (
            <ChangesSkeleton />
          ) : (
            <DaySections
              rows={page.changes}
              timeOf={({ at }) => at}
              isStale={list.isPlaceholderData}
            >
              {(change) => <ChangedHost key={change.id} change={change} at={change.at} />}
            </DaySections>
          )
        }
      </ListView>
    </div>
  );
}

function ChangesSkeleton() {
  return (
    <div role="status" aria-label="正在加载变化">
      <Skeleton className="mb-2 h-5 w-32" />
      <div className="divide-y rounded-md border bg-card">
        {[2, 1, 3, 1, 2, 1].map((lines, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move
          <SkeletonText key={index} lines={lines} className="px-3.5 py-3" />
        ))}
      </div>
    </div>
  );
}
