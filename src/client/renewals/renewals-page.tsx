import { type Renewal, type RenewalDecision, RenewalSort } from "@shared/renewals.ts";
import { hasPermission } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { trpc } from "@/api/trpc";
import { SelectionBar } from "@/components/data-table-tools";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { hostTitle } from "@/hosts/host-facts";
import { lazyDialog } from "@/lib/lazy-dialog";
import { useDialog } from "@/lib/use-dialog";
import { useIsLargeScreen } from "@/lib/use-media";
import { type Selection, useRowSelection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { CompleteDialog, ProcessDialog } from "./decision-dialogs";
import { RenewalFilters, RenewalSortSelect } from "./renewal-filters";
import { type Decision, DecisionButton, isOpen, RenewalRows } from "./renewal-rows";
import { listInput, shownOrder, useWaitingSearch } from "./renewal-search";
import { RenewalSheet } from "./renewal-sheet";
import { useQueueKeys } from "./use-queue-keys";

const BatchDecisionDialog = lazyDialog(() => import("./batch-decision-dialog").then((m) => m.BatchDecisionDialog));

/** Requests that wait, oldest first, for the super admin, who decides them; those of the own clients for an admin, who reads them. */
export function RenewalsPage() {
  const canProcess = hasPermission(useCurrentUser().role, "renewals:process");
  const search = useWaitingSearch();
  const { params, setParams, setFilters } = search;
  const order = shownOrder(params);
  const list = trpc.renewals.list.useQuery(listInput(search), { placeholderData: keepPreviousData });
  const requests = list.data?.requests ?? [];
  const { show, dialog } = useDialog<Decision, Renewal>();
  const [firstChoice, setFirstChoice] = useState<"approved" | "rejected">("approved");
  const onOpen = useCallback((renewal: string) => setParams({ renewal }), [setParams]);
  const onDecide = useCallback(
    (decision: Decision, renewal: Renewal) => {
      setFirstChoice("approved");
      show(decision, renewal);
    },
    [show],
  );
  const isWide = useIsLargeScreen();
  const [process, complete] = [dialog("process"), dialog("complete")];
  const selection = useRowSelection(requests);
  const rows = useRef<HTMLDivElement>(null);
  useQueueKeys(rows, canProcess, (id, status) => {
    const renewal = requests.find((each) => each.id === id);
    if (renewal?.status !== "pending") return;
    setFirstChoice(status);
    show("process", renewal);
  });
  const next = process === null ? undefined : nextPending(requests, process.subject);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={canProcess ? "续费管理" : "续费申请"}
        description={canProcess ? <QueueHint /> : "您负责的用户提交的申请，由超级管理员处理"}
        actions={isWide ? null : <RenewalSortSelect search={search} />}
      />
      <RenewalFilters
        search={search}
        placeholder="搜索用户名或主机名称"
        counts={list.data?.counts}
        refetch={list.refetch}
      />
      {canProcess ? <BatchDecisions selection={selection} /> : null}
      <ListView
        list={list}
        search={{ ...search, isNarrowed: params.search !== "" || !["all", "pending"].includes(params.status) }}
        noun="续费申请"
        empty={{
          icon: CalendarClock,
          title: params.status === "pending" ? "没有待处理的申请" : "暂无续费申请",
          description: "用户提交续费申请后，会实时显示在这里。",
        }}
      >
        {(page) => (
          <div ref={rows} className="grid grid-cols-[minmax(0,1fr)]">
            <RenewalRows
              renewals={page?.requests}
              isStale={list.isPlaceholderData}
              sorting={{
                by: order?.sort,
                order: order?.order ?? "desc",
                onChange: (by, next) => setFilters({ sort: RenewalSort.safeParse(by).data, order: next }),
              }}
              onOpen={onOpen}
              onDecide={canProcess ? onDecide : null}
              selection={
                canProcess && isDecidable(params.status)
                  ? { state: selection.rowSelection, onChange: selection.update, label: selectionLabel }
                  : null
              }
            />
          </div>
        )}
      </ListView>
      <RenewalSheet
        openId={params.renewal}
        renewals={requests}
        onClose={() => setParams({ renewal: undefined }, { replace: true })}
        actions={(renewal) =>
          canProcess && isOpen(renewal) ? <DecisionButton renewal={renewal} onDecide={onDecide} /> : null
        }
      />
      {process === null ? null : (
        <ProcessDialog
          key={process.subject.id}
          {...process}
          status={firstChoice}
          onNext={next === undefined ? null : () => show("process", next)}
        />
      )}
      {complete === null ? null : <CompleteDialog {...complete} />}
    </div>
  );
}

function isDecidable(status: string): boolean {
  return status === "pending" || status === "approved";
}

function selectionLabel({ user, host }: Renewal): string {
  return `选择 ${user.name} 对 ${hostTitle(host)} 的申请`;
}

/** The request after this one that still waits. */
function nextPending(requests: readonly Renewal[], { id }: Renewal): Renewal | undefined {
  const index = requests.findIndex((each) => each.id === id);
  return requests.slice(index + 1).find((each) => each.status === "pending" && each.id !== id);
}

function QueueHint() {
  return (
    <>
      承诺在 1-2 个工作日内处理
      <span className="ml-3 inline-flex flex-wrap items-center gap-1 max-lg:hidden">
        <Kbd>J</Kbd>
        <Kbd>K</Kbd>移动 <Kbd>A</Kbd>批准 <Kbd>R</Kbd>拒绝 <Kbd>Enter</Kbd>确认
      </span>
    </>
  );
}

type BatchDecisionsProps = { selection: Selection<Renewal> };
type BatchSubject = { status: RenewalDecision; renewals: readonly Renewal[] };

function BatchDecisions({ selection: { chosen, clear, keepOnly } }: BatchDecisionsProps) {
  const { show, dialog } = useDialog<"decide", BatchSubject>();
  const decide = dialog("decide");
  const arePending = chosen.every(({ status }) => status === "pending");
  const open = (status: RenewalDecision) => show("decide", { status, renewals: chosen });
  return (
    <>
      <SelectionBar count={chosen.length} unit="个申请" onClear={clear}>
        {arePending ? (
          <>
            <Button onClick={() => open("approved")}>批准</Button>
            <Button variant="outline" onClick={() => open("rejected")}>
              拒绝
            </Button>
          </>
        ) : null}
        <Button variant="outline" onClick={() => open("completed")}>
          标记完成
        </Button>
      </SelectionBar>
      {decide === null ? null : (
        <BatchDecisionDialog
          key={`${decide.subject.status} ${decide.subject.renewals.map(({ id }) => id).join()}`}
          {...decide}
          onFinished={keepOnly}
        />
      )}
    </>
  );
}
