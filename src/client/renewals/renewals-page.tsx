import { RenewalSort } from "@shared/renewals.ts";
import { hasPermission } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { useCallback } from "react";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pagination } from "@/components/ui/pagination";
import { failureText } from "@/failure";
import { useIsLargeScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session";
import { trpc } from "@/trpc";
import { isActionable, OperatorActions } from "./operator-actions";
import { RenewalCards } from "./renewal-cards";
import { RenewalFilters } from "./renewal-filters";
import { RenewalListEmpty } from "./renewal-list-empty";
import { RenewalSheet } from "./renewal-sheet";
import { RenewalTable } from "./renewal-table";
import { SortControl } from "./sort-control";
import { useRenewalDecisions } from "./use-renewal-decisions";
import { renewalsListInput, shownOrder, useRenewalsSearch } from "./use-renewals-search";

/** Every request for the super admin, with what may be done; those of the own clients, to read, for an admin. */
export function RenewalsPage() {
  const { role } = useCurrentUser();
  const canProcess = hasPermission(role, "renewals:process");
  const search = useRenewalsSearch();
  const { params, setParams, setFilters } = search;
  const order = shownOrder(params);
  const list = trpc.renewals.list.useQuery(
    { ...renewalsListInput(params), ...order },
    { placeholderData: keepPreviousData },
  );
  const { decisions, dialogs } = useRenewalDecisions();
  const onOpen = useCallback((renewal: string) => setParams({ renewal }), [setParams]);
  const isWide = useIsLargeScreen();
  const RenewalRows = isWide ? RenewalTable : RenewalCards;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={canProcess ? "续费管理" : "续费申请"}
        description={canProcess ? "承诺在 1-2 个工作日内处理" : "您负责的用户提交的申请，由超级管理员处理"}
        actions={isWide ? null : <SortControl state={search} />}
      />
      <RenewalFilters state={search} placeholder="搜索用户名或主机名称" refetch={list.refetch} />
      {list.isError && list.data === undefined ? (
        <Card>
          <ErrorState message={failureText(list.error)} onRetry={() => list.refetch()} isRetrying={list.isFetching} />
        </Card>
      ) : (
        <RenewalRows
          renewals={list.data?.requests}
          decisions={canProcess ? decisions : null}
          onOpen={onOpen}
          isStale={list.isPlaceholderData}
          sort={{
            by: order?.sort,
            order: order?.order ?? "desc",
            onChange: (by, next) => setFilters({ sort: RenewalSort.safeParse(by).data, order: next }),
          }}
          empty={
            <RenewalListEmpty
              state={search}
              pagination={list.data?.pagination}
              description="用户提交续费申请后，会实时显示在这里。"
            />
          }
        />
      )}
      {list.data === undefined ? null : (
        <Pagination label="续费申请分页" {...list.data.pagination} onPageChange={(page) => setParams({ page })} />
      )}
      <RenewalSheet
        openId={params.renewal}
        renewals={list.data?.requests ?? []}
        onClose={() => setParams({ renewal: undefined }, { replace: true })}
        actions={(renewal) =>
          canProcess && isActionable(renewal) ? <OperatorActions renewal={renewal} decisions={decisions} /> : null
        }
      />
      {dialogs}
    </div>
  );
}
