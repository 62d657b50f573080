import { isOpenRenewal } from "@shared/renewal-status.ts";
import { type Renewal, RenewalSort } from "@shared/renewals.ts";
import { hasPermission } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { Suspense, useEffect } from "react";
import { trpc } from "@/api/trpc";
import { ExportButton, shownTotal } from "@/components/export/export-button";
import { hostTitle } from "@/components/hosts/host-facts";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { lazyPage } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { useRowSelection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { BatchDecisions } from "./batch-decisions";
import { DecisionButtons } from "./decision-buttons";
import { DecisionDialogs } from "./decision-dialogs";
import type { RenewalAction } from "./decisions";
import { QueueHint } from "./queue-hint";
import { RenewalFilters } from "./renewal-filters";
import { RenewalRows } from "./renewal-rows";
import { isWaiting, listInput, shownOrder, useWaitingSearch } from "./renewal-search";
import { useQueueKeys } from "./use-queue-keys";

const RenewalSheet = lazyPage(() => import("./renewal-sheet").then((m) => m.RenewalSheet));

/**
 * Requests that wait, oldest first, for the super admin, who decides them; those of the own clients
 * for an admin, who reads them.
 */
export function RenewalsPage() {
  const canProcess = hasPermission(useCurrentUser().role, "renewals:process");
  const search = useWaitingSearch();
  const { params, hrefTo, setFilters } = search;
  const order = shownOrder(params);
  const list = trpc.renewals.list.useQuery(listInput(search), {
    placeholderData: keepPreviousData,
  });
  const requests = list.data?.requests ?? [];
  const hasAny = Object.values(list.data?.counts ?? {}).some((count) => count > 0);
  const isNarrowed = params.search !== "" || !["all", "pending"].includes(params.status);
  const { show, dialog } = useDialog<RenewalAction, Renewal>();
  const selection = useRowSelection(requests);
  const label = ({ user, host }: Renewal) => `选择 ${user.name} 对 ${hostTitle(host)} 的申请`;

  useEffect(RenewalSheet.prefetch, []);
  useQueueKeys(requests, canProcess ? show : null);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={canProcess ? "续费管理" : "续费申请"}
        description={
          canProcess ? "承诺在 1-2 个工作日内处理" : "您负责的用户提交的申请，由超级管理员处理"
        }
        actions={
          <ExportButton list="renewals" input={listInput(search)} total={shownTotal(list)} />
        }
      />
      <RenewalFilters search={search} list={list} />
      {canProcess ? <BatchDecisions selection={selection} /> : null}
      <ListView
        list={list}
        search={{ ...search, isNarrowed }}
        noun="续费申请"
        empty={{
          icon: CalendarClock,
          title: params.status === "pending" && hasAny ? "没有待处理的申请" : "暂无续费申请",
          description: "用户提交续费申请后，会实时显示在这里。",
        }}
      >
        {(page) => (
          <>
            {canProcess ? <QueueHint status={params.status} requests={page?.requests} /> : null}
            <RenewalRows
              rows={page?.requests}
              status={params.status}
              isStale={list.isPlaceholderData}
              sorting={{
                by: order?.sort,
                order: order?.order ?? "desc",
                onChange: (by, next) =>
                  setFilters({ sort: RenewalSort.safeParse(by).data, order: next }),
              }}
              hrefTo={(renewal) => hrefTo({ renewal })}
              onAct={canProcess ? show : null}
              selection={
                canProcess && isWaiting(params.status) ? { ...selection, label } : undefined
              }
            />
          </>
        )}
      </ListView>
      <Suspense>
        <RenewalSheet
          search={search}
          renewals={requests}
          actions={(renewal) =>
            canProcess && isOpenRenewal(renewal) ? (
              <DecisionButtons renewal={renewal} onAct={show} />
            ) : null
          }
        />
      </Suspense>
      <DecisionDialogs requests={requests} show={show} dialog={dialog} />
    </div>
  );
}
