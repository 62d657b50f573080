import { type Renewal, RenewalSort } from "@shared/renewals.ts";
import { hasPermission } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { useCallback } from "react";
import { trpc } from "@/api/trpc";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { useDialog } from "@/lib/use-dialog";
import { useIsLargeScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import { CompleteDialog, ProcessDialog } from "./decision-dialogs";
import { RenewalFilters, RenewalSortSelect } from "./renewal-filters";
import { type Decision, DecisionButton, isOpen, RenewalRows } from "./renewal-rows";
import { shownOrder, useRenewalSearch } from "./renewal-search";
import { RenewalSheet } from "./renewal-sheet";

/** All requests for the super admin, who decides them; those of the own clients for an admin, who reads them. */
export function RenewalsPage() {
  const canProcess = hasPermission(useCurrentUser().role, "renewals:process");
  const search = useRenewalSearch();
  const { params, input, setParams, setFilters } = search;
  const order = shownOrder(params);
  const list = trpc.renewals.list.useQuery({ ...input, ...order }, { placeholderData: keepPreviousData });
  const { show, dialog } = useDialog<Decision, Renewal>();
  const onOpen = useCallback((renewal: string) => setParams({ renewal }), [setParams]);
  const isWide = useIsLargeScreen();
  const [process, complete] = [dialog("process"), dialog("complete")];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={canProcess ? "续费管理" : "续费申请"}
        description={canProcess ? "承诺在 1-2 个工作日内处理" : "您负责的用户提交的申请，由超级管理员处理"}
        actions={isWide ? null : <RenewalSortSelect search={search} />}
      />
      <RenewalFilters
        search={search}
        placeholder="搜索用户名或主机名称"
        counts={list.data?.counts}
        refetch={list.refetch}
      />
      <ListView
        list={list}
        search={search}
        noun="续费申请"
        empty={{
          icon: CalendarClock,
          title: "暂无续费申请",
          description: "用户提交续费申请后，会实时显示在这里。",
        }}
      >
        {(page) => (
          <RenewalRows
            renewals={page?.requests}
            isStale={list.isPlaceholderData}
            sorting={{
              by: order?.sort,
              order: order?.order ?? "desc",
              onChange: (by, next) => setFilters({ sort: RenewalSort.safeParse(by).data, order: next }),
            }}
            onOpen={onOpen}
            onDecide={canProcess ? show : null}
          />
        )}
      </ListView>
      <RenewalSheet
        openId={params.renewal}
        renewals={list.data?.requests ?? []}
        onClose={() => setParams({ renewal: undefined }, { replace: true })}
        actions={(renewal) =>
          canProcess && isOpen(renewal) ? <DecisionButton renewal={renewal} onDecide={show} /> : null
        }
      />
      {process === null ? null : <ProcessDialog key={process.subject.id} {...process} />}
      {complete === null ? null : <CompleteDialog {...complete} />}
    </div>
  );
}
