import type { Renewal } from "@shared/renewals.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { CalendarClock, Plus } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { trpc } from "@/api/trpc";
import { isMissing } from "@/components/error-state";
import { ExportButton, shownTotal } from "@/components/export/export-button";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { RenewalApplyDialog } from "@/components/renewals/renewal-apply-dialog";
import { PROMISE } from "@/components/renewals/renewal-promise";
import { Button } from "@/components/ui/button";
import { lazyPage } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { CancelDialog } from "./cancel-dialog";
import { DetailsLink } from "./decision-buttons";
import { OwnRenewalCards } from "./own-renewal-cards";
import { RenewalFilters } from "./renewal-filters";
import { listInput, useOwnSearch } from "./renewal-search";
import { useOpenRequests } from "./use-open-requests";

const RenewalSheet = lazyPage(() => import("./renewal-sheet").then((m) => m.RenewalSheet));

export function OwnRenewalsPage() {
  const search = useOwnSearch();
  const hrefTo = (renewal: string) => search.hrefTo({ renewal });
  const list = trpc.renewals.list.useQuery(listInput(search), {
    placeholderData: keepPreviousData,
  });
  const openRequests = useOpenRequests();
  const [isApplying, setApplying] = useState(false);
  const { show, dialog } = useDialog<"cancel" | "again", Renewal>();
  useEffect(RenewalSheet.prefetch, []);
  const cancel = dialog("cancel");
  const again = dialog("again");

  const applyButton = (
    <Button onClick={() => setApplying(true)}>
      <Plus />
      申请续费
    </Button>
  );

  function nextStep(renewal: Renewal): ReactNode {
    if (renewal.status === "pending") {
      return (
        <Button
          variant="outline"
          className="text-danger-ink"
          onClick={() => show("cancel", renewal)}
        >
          取消申请
        </Button>
      );
    }

    if (renewal.status === "rejected" && !openRequests.has(renewal.host.id)) {
      return <RequestAgain renewal={renewal} onClick={() => show("again", renewal)} />;
    }

    return null;
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="我的续费"
        description={PROMISE}
        actions={
          <>
            <ExportButton list="renewals" input={listInput(search)} total={shownTotal(list)} />
            {applyButton}
          </>
        }
      />
      <RenewalFilters search={search} list={list} />
      <ListView
        list={list}
        search={search}
        noun="续费申请"
        empty={{
          icon: CalendarClock,
          title: "暂无续费申请",
          description: "主机快到期时，可以在这里申请续费。",
          action: applyButton,
        }}
      >
        {(page) => (
          <OwnRenewalCards
            renewals={page?.requests}
            isStale={list.isPlaceholderData}
            hrefTo={hrefTo}
          >
            {(renewal) => (
              <>
                <DetailsLink href={hrefTo(renewal.id)} />
                {nextStep(renewal)}
              </>
            )}
          </OwnRenewalCards>
        )}
      </ListView>
      <Suspense>
        <RenewalSheet search={search} renewals={list.data?.requests ?? []} actions={nextStep} />
      </Suspense>
      <RenewalApplyDialog open={isApplying} onOpenChange={setApplying} />
      {again === null ? null : (
        <RenewalApplyDialog key={again.subject.id} {...again} hostId={again.subject.host.id} />
      )}
      {cancel === null ? null : <CancelDialog {...cancel} />}
    </div>
  );
}

type RequestAgainProps = { renewal: Renewal; onClick: () => void };

/** For a host that the client still has. A request does not say so: the host is asked for. */
function RequestAgain({ renewal, onClick }: RequestAgainProps) {
  const { error } = trpc.hosts.get.useQuery({ id: renewal.host.id });
  if (isMissing(error)) {
    return <span className="self-center text-sm text-muted-foreground">主机已收回</span>;
  }

  return <Button onClick={onClick}>重新申请</Button>;
}
