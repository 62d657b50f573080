import { keepPreviousData } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pagination } from "@/components/ui/pagination";
import { failureText } from "@/failure";
import { trpc } from "@/trpc";
import { CardsFrame } from "./cards-frame";
import { OwnActions } from "./own-actions";
import { RenewalApplyDialog } from "./renewal-apply-dialog";
import { RenewalCard } from "./renewal-card";
import { RenewalFilters } from "./renewal-filters";
import { RenewalListEmpty } from "./renewal-list-empty";
import { RenewalSheet } from "./renewal-sheet";
import { renewalsListInput, useRenewalsSearch } from "./use-renewals-search";
import { PROMISE } from "./waiting";

/** A client's own requests. */
export function OwnRenewalsPage() {
  const search = useRenewalsSearch();
  const { params, setParams } = search;
  const [isApplying, setApplying] = useState(false);
  const list = trpc.renewals.list.useQuery(renewalsListInput(params), { placeholderData: keepPreviousData });
  const applyButton = <ApplyButton onClick={() => setApplying(true)} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader title="我的续费" description={PROMISE} actions={applyButton} />
      <RenewalFilters state={search} placeholder="搜索主机名称" refetch={list.refetch} />
      {list.isError && list.data === undefined ? (
        <Card>
          <ErrorState message={failureText(list.error)} onRetry={() => list.refetch()} isRetrying={list.isFetching} />
        </Card>
      ) : (
        <CardsFrame
          renewals={list.data?.requests}
          isStale={list.isPlaceholderData}
          empty={
            <RenewalListEmpty
              state={search}
              pagination={list.data?.pagination}
              description="主机快到期时，可以在这里申请续费。"
              action={applyButton}
            />
          }
        >
          {(renewal) => (
            <RenewalCard renewal={renewal} showsUser={false}>
              <Button variant="outline" onClick={() => setParams({ renewal: renewal.id })}>
                详情
              </Button>
              <OwnActions renewal={renewal} />
            </RenewalCard>
          )}
        </CardsFrame>
      )}
      {list.data === undefined ? null : (
        <Pagination label="续费申请分页" {...list.data.pagination} onPageChange={(page) => setParams({ page })} />
      )}
      <RenewalSheet
        openId={params.renewal}
        renewals={list.data?.requests ?? []}
        onClose={() => setParams({ renewal: undefined }, { replace: true })}
        actions={(renewal) => (renewal.status === "pending" ? <OwnActions renewal={renewal} /> : null)}
      />
      {/* The page's, not the button's: the one of the empty list goes with the first request. */}
      <RenewalApplyDialog open={isApplying} onOpenChange={setApplying} />
    </div>
  );
}

function ApplyButton({ onClick }: { onClick: () => void }) {
  return (
    <Button onClick={onClick}>
      <Plus aria-hidden="true" />
      申请续费
    </Button>
  );
}
