import { keepPreviousData } from "@tanstack/react-query";
import { Check, CloudOff, ShieldCheck } from "lucide-react";
import { useMemo } from "react";
import { trpc } from "@/api/trpc";
import { DataTable } from "@/components/data-table";
import { SelectionBar } from "@/components/data-table-tools";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { hostTitle } from "@/features/hosts/host-facts";
import { formatNumber } from "@/lib/format-number";
import { lazyDialog } from "@/lib/lazy-dialog";
import { useDialog } from "@/lib/use-dialog";
import { useRowSelection } from "@/lib/use-row-selection";
import type { DecisionSubject } from "./decision-dialog";
import { heldColumns } from "./held-columns";
import { HeldFilters, useHeldSearch } from "./held-filters";
import { DECISION_LABELS, type Decision } from "./use-decision";

const DecisionDialog = lazyDialog(() => import("./decision-dialog").then((m) => m.DecisionDialog));

/** Hosts that a sync did not find and did not mark gone: a person confirms or keeps them. */
export function HeldPage() {
  const search = useHeldSearch();
  const { configId, reason, search: text } = search.input;
  const list = trpc.hosts.heldRemovals.useQuery(search.input, { placeholderData: keepPreviousData });
  const configs = trpc.configs.list.useQuery();
  const { show, dialog } = useDialog<Decision, DecisionSubject>();
  const hosts = useMemo(() => list.data?.hosts.map(({ host }) => host), [list.data]);
  const rows = useMemo(() => list.data?.hosts.map((held) => ({ id: held.host.id, ...held })), [list.data]);
  const selection = useRowSelection(hosts);
  const columns = useMemo(
    () => heldColumns((id) => configs.data?.find((config) => config.id === id)?.name ?? ""),
    [configs.data],
  );
  const total = list.data?.pagination.total ?? 0;
  const config = configs.data?.find(({ id }, _index, all) => id === configId || all.length === 1);
  // All that the list shows are all of the configuration.
  const isWhole = config !== undefined && reason === undefined && text.trim() === "" && total > 0;
  const whole = isWhole ? { hosts: hosts ?? [], config: { ...config, total } } : null;
  const [confirm, dismiss] = [dialog("confirm"), dialog("dismiss")];
  const open = confirm ?? dismiss;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="待确认消失"
        description="同步没有找到、但不能断定已删除的主机。它们保持存在，由您核实后确认或保留。"
        aside={list.data ? <Badge className="tabular-nums">{formatNumber(total)} 台</Badge> : null}
        actions={whole === null ? null : <DecisionButtons suffix="全部" onDecide={(kind) => show(kind, whole)} />}
      />
      <HeldFilters search={search} configs={configs.data ?? []} refetch={list.refetch} />
      <SelectionBar count={selection.chosen.length} unit="台主机" onClear={selection.clear}>
        <DecisionButtons onDecide={(kind) => show(kind, { hosts: selection.chosen, config: null })} />
      </SelectionBar>
      <ListView
        list={list}
        search={search}
        noun="待确认的主机"
        unit="台"
        empty={{
          icon: ShieldCheck,
          title: "没有待确认的主机",
          description: "同步中大量主机消失、地域变空或无法读取时，未找到的主机会列在这里，等您核实。",
        }}
      >
        {() => (
          <DataTable
            columns={columns}
            rows={rows}
            label="待确认的主机"
            isStale={list.isPlaceholderData}
            selection={{
              state: selection.rowSelection,
              onChange: selection.update,
              label: ({ host }) => `选择 ${hostTitle(host)}`,
            }}
          />
        )}
      </ListView>
      {selection.chosen.length > 0 ? <div className="h-14" /> : null}
      {open === null ? null : (
        <DecisionDialog
          {...open}
          decision={confirm === null ? "dismiss" : "confirm"}
          onFinished={(failed) => selection.keepOnly(failed)}
        />
      )}
    </div>
  );
}

function DecisionButtons({ suffix = "", onDecide }: { suffix?: string; onDecide: (decision: Decision) => void }) {
  return (
    <>
      <Button variant="outline" onClick={() => onDecide("dismiss")}>
        <Check aria-hidden="true" className="max-sm:hidden" />
        {suffix}
        {DECISION_LABELS.dismiss}
      </Button>
      <Button variant="danger" onClick={() => onDecide("confirm")}>
        <CloudOff aria-hidden="true" className="max-sm:hidden" />
        {suffix}
        {DECISION_LABELS.confirm}
      </Button>
    </>
  );
}
