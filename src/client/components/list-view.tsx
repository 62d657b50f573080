import type { Pagination as PaginationShape } from "@shared/page.ts";
import { type LucideIcon, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "@/components/empty-state";
import { type FailedQuery, QueryError } from "@/components/error-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Pagination } from "@/components/ui/pagination";
import type { ListSearch } from "@/lib/list-search";

type ListViewProps<List> = Omit<ListEmptyProps, "pagination"> & {
  list: FailedQuery & { data: List | undefined; isError: boolean };
  /** The measure word of the rows: "人". */
  unit?: string;
  /** The rows; undefined draws their skeleton. */
  children: (list: List | undefined) => ReactNode;
};

/** One page of a list: loading, failed, empty or full, with the pagination below. */
export function ListView<List extends { pagination: PaginationShape }>(props: ListViewProps<List>) {
  const { list, unit = "条", children, ...empty } = props;
  const { data } = list;
  if (data === undefined && list.isError) {
    return (
      <Card>
        <QueryError query={list} />
      </Card>
    );
  }

  const isEmpty = data !== undefined && data.pagination.page > data.pagination.totalPages;

  return (
    <>
      <UnknownFilters search={empty.search} />
      {isEmpty ? (
        <Card>
          <ListEmpty {...empty} pagination={data.pagination} />
        </Card>
      ) : (
        children(data)
      )}
      {data === undefined ? null : (
        <Pagination
          label={`${empty.noun}分页`}
          unit={unit}
          {...data.pagination}
          onPageChange={empty.search.setPage}
        />
      )}
    </>
  );
}

/** Says which parameters of the address were left out. */
export function UnknownFilters({ search: { unknown = [], clearUnknown } }: { search: ListSearch }) {
  if (unknown.length === 0) return null;
  return (
    <Alert tone="warning" live>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
        地址中的参数 {unknown.join("、")} 无法识别或不适用于您，没有生效。
        {/* As high as a line of text, beside which the icon stands. */}
        <Button variant="outline" size="sm" className="-my-1" onClick={clearUnknown}>
          清除{unknown.length > 1 ? "这些" : "这个"}参数
        </Button>
      </span>
    </Alert>
  );
}

type ListEmptyProps = {
  search: ListSearch;
  pagination: PaginationShape;
  noun: string;
  empty: { icon: LucideIcon; title: string; description: ReactNode; action?: ReactNode };
};

/** Three kinds of empty: a page behind the last, filters that match nothing, and nothing at all. */
export function ListEmpty({ search, pagination, noun, empty }: ListEmptyProps) {
  if (pagination.total > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title={`这一页没有${noun}`}
        description={`列表目前只有 ${pagination.totalPages} 页。`}
        action={
          <Button onClick={() => search.setPage(pagination.totalPages)}>
            回到第 {pagination.totalPages} 页
          </Button>
        }
      />
    );
  }
  if (search.isNarrowed) {
    return (
      <EmptyState
        icon={SearchX}
        title={`没有符合条件的${noun}`}
        description="换一个关键词，或放宽筛选条件后再试。"
        action={
          <Button variant="outline" onClick={search.clear}>
            清除筛选
          </Button>
        }
      />
    );
  }
  return <EmptyState {...empty} />;
}
