import { isOpenRenewal } from "@shared/renewal-status.ts";
import { type Renewal, type RenewalDecision, RenewalSort } from "@shared/renewals.ts";
import { hasPermission } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { trpc } from "@/api/trpc";
import { SelectionBar } from "@/components/data-table-tools";
import { hostTitle } from "@/components/hosts/host-display";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { useDialog } from "@/lib/use-dialog";
import { useHotkey } from "@/lib/use-hotkey";
import { type Selection, useRowSelection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import {
  type BatchDecision,
  BatchDecisionDialog,
  CloseDialog,
  CompleteDialog,
  ProcessDialog,
} from "./decision-dialogs";
import { RenewalFilters } from "./renewal-filters";
import { CloseButton, DecisionButton, RenewalRows } from "./renewal-rows";
import { listInput, shownOrder, useWaitingSearch } from "./renewal-search";
import { RenewalSheet } from "./renewal-sheet";

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
  const { show, dialog } = useDialog<RenewalDecision, Renewal>();
  const approve = dialog("approved");
  const reject = dialog("rejected");
  const complete = dialog("completed");

  // Who rejects an approved request closes it: there is nothing else to choose.
  const isClosing = reject?.subject.status === "approved";
  const process = isClosing ? null : (approve ?? reject);
  const firstChoice = reject === null ? "approved" : "rejected";
  const next = process === null ? undefined : nextPending(requests, process.subject);
  const selection = useRowSelection(requests);
  useQueueKeys((id, decision) => {
    const renewal = requests.find((each) => each.id === id);
    const isPossible =
      renewal?.status === "pending" || (renewal?.status === "approved" && decision === "rejected");
    if (renewal !== undefined && isPossible) show(decision, renewal);
  });

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={canProcess ? "续费管理" : "续费申请"}
        description={canProcess ? <QueueHint /> : "您负责的用户提交的申请，由超级管理员处理"}
      />
      <RenewalFilters search={search} list={list} />
      {canProcess ? <BatchDecisions selection={selection} /> : null}
      <ListView
        list={list}
        search={{
          ...search,
          isNarrowed: params.search !== "" || !["all", "pending"].includes(params.status),
        }}
        noun="续费申请"
        empty={{
          icon: CalendarClock,
          title: params.status === "pending" && hasAny ? "没有待处理的申请" : "暂无续费申请",
          description: "用户提交续费申请后，会实时显示在这里。",
        }}
      >
        {(page) => (
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
            onDecide={canProcess ? show : null}
            selection={
              canProcess && ["pending", "approved"].includes(params.status)
                ? {
                    ...selection,
                    label: ({ user, host }) => `选择 ${user.name} 对 ${hostTitle(host)} 的申请`,
                  }
                : undefined
            }
          />
        )}
      </ListView>
      <RenewalSheet
        search={search}
        renewals={requests}
        actions={(renewal) =>
          canProcess && isOpenRenewal(renewal) ? (
            <>
              <CloseButton renewal={renewal} onDecide={show} />
              <DecisionButton renewal={renewal} onDecide={show} />
            </>
          ) : null
        }
      />
      {process === null ? null : (
        <ProcessDialog
          key={process.subject.id}
          {...process}
          status={firstChoice}
          onNext={next === undefined ? null : () => show(firstChoice, next)}
        />
      )}
      {complete === null ? null : <CompleteDialog {...complete} />}
      {reject !== null && isClosing ? <CloseDialog {...reject} /> : null}
    </div>
  );
}

function nextPending(requests: readonly Renewal[], { id }: Renewal): Renewal | undefined {
  const index = requests.findIndex((each) => each.id === id);
  return requests.slice(index + 1).find((each) => each.status === "pending");
}

/**
 * J and K move the focus along the requests that can be decided, A and R decide the focused or
 * first one.
 */
function useQueueKeys(onDecide: (id: string, decision: "approved" | "rejected") => void): void {
  const buttons = () => [...document.querySelectorAll<HTMLElement>("[data-request]")];
  function move(step: 1 | -1): void {
    const all = buttons();
    const present = all.findIndex((button) => button.matches(":focus"));
    all[present === -1 ? 0 : present + step]?.focus();
  }
  function decide(decision: "approved" | "rejected"): void {
    const all = buttons();
    const button = all.find((each) => each.matches(":focus")) ?? all[0];
    if (button?.dataset.request !== undefined) onDecide(button.dataset.request, decision);
  }
  useHotkey("j", () => move(1));
  useHotkey("k", () => move(-1));
  useHotkey("a", () => decide("approved"));
  useHotkey("r", () => decide("rejected"));
}

function QueueHint() {
  return (
    <>
      <span>承诺在 1-2 个工作日内处理</span>
      <span className="ml-3 inline-flex flex-wrap items-center gap-1 max-lg:hidden print:hidden">
        <Kbd>J</Kbd>
        <Kbd>K</Kbd>移动 <Kbd>A</Kbd>批准 <Kbd>R</Kbd>拒绝 <Kbd>Enter</Kbd>确认
      </span>
    </>
  );
}

function BatchDecisions({
  selection: { chosen, clear, keepOnly },
}: {
  selection: Selection<Renewal>;
}) {
  const { show, dialog } = useDialog<"decide", BatchDecision>();
  const decide = dialog("decide");
  const open = (status: RenewalDecision) => show("decide", { status, renewals: chosen });

  return (
    <>
      <SelectionBar count={chosen.length} unit="个申请" onClear={clear}>
        {chosen.every(({ status }) => status === "pending") ? (
          <Button onClick={() => open("approved")}>批准</Button>
        ) : null}
        <Button variant="outline" onClick={() => open("rejected")}>
          拒绝
        </Button>
        <Button variant="outline" onClick={() => open("completed")}>
          标记完成
        </Button>
      </SelectionBar>
      {decide === null ? null : <BatchDecisionDialog {...decide} onFinished={keepOnly} />}
    </>
  );
}
