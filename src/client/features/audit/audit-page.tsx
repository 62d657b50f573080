import { keepPreviousData } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { trpc } from "@/api/trpc";
import { DaySections } from "@/components/day-sections";
import { ExportButton, shownTotal } from "@/components/export/export-button";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { boundsOf, isReversed } from "@/components/period/period";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { AuditFilters } from "./audit-filters";
import { AuditLine } from "./audit-line";
import { useAuditSearch } from "./audit-search";

/** Entries of a page. */
const LIMIT = 50;
/** No event tells of a new entry. */
const REFRESH_MS = 30_000;
/** The server counts no further. */
const MAX_TOTAL = 10_000;

/** Who did what, newest first. */
export function AuditPage() {
  const search = useAuditSearch();
  const { period, fromDate, toDate, subjectId } = search.params;
  const bounds = boundsOf({ period, fromDate, toDate }, useNow());
  const to = isReversed(bounds) ? undefined : bounds.to;
  const input = { ...search.input, from: bounds.from, to, limit: LIMIT };
  const list = trpc.audit.list.useQuery(input, {
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const total = list.data?.pagination.total;
  const subject = list.data?.entries.find((entry) => entry.subject?.id === subjectId)?.subject;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="审计日志"
        description="谁在什么时候、从哪里做了什么，包括被拒绝与失败的。记录不能修改或删除。"
        aside={
          total === undefined ? null : <Badge className="tabular-nums">{totalText(total)}</Badge>
        }
        actions={
          <ExportButton
            list="audit"
            input={input}
            total={isCounted(total) ? shownTotal(list) : undefined}
          />
        }
      />
      <AuditFilters search={search} subjectName={subject?.label} />
      <ListView
        list={list}
        search={search}
        noun="操作记录"
        empty={{
          icon: ScrollText,
          title: "这段时间没有操作记录",
          description: "登录和每一次修改都会出现在这里。",
          action:
            period === "dates" ? undefined : (
              <Button variant="outline" onClick={() => search.setFilters({ period: "dates" })}>
                查看全部时间
              </Button>
            ),
        }}
      >
        {(page) =>
          page === undefined ? (
            <AuditSkeleton />
          ) : (
            <DaySections
              rows={page.entries}
              timeOf={({ at }) => at}
              isStale={list.isPlaceholderData}
            >
              {(entry) => <AuditLine key={entry.id} entry={entry} />}
            </DaySections>
          )
        }
      </ListView>
    </div>
  );
}

/** Whether it is all of them. */
function isCounted(total: number | undefined): boolean {
  return total === undefined || total < MAX_TOTAL;
}

function totalText(total: number): string {
  const count = formatNumber(total);
  return isCounted(total) ? `${count} 条` : `${count} 条以上`;
}

function AuditSkeleton() {
  return (
    <div role="status" aria-label="正在加载操作记录">
      <Skeleton className="mb-2 h-5 w-32" />
      <div className="divide-y rounded-md border bg-card">
        {[2, 2, 2, 2, 2, 2].map((lines, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move
          <SkeletonText key={index} lines={lines} className="px-3.5 py-3" />
        ))}
      </div>
    </div>
  );
}
