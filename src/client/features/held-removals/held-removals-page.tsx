import { HELD_REASON_LABELS, HeldReason } from "@shared/held-hosts.ts";
import { Id } from "@shared/ids.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { Check, CloudOff, ShieldCheck } from "lucide-react";
import { useMemo } from "react";
import { trpc } from "@/api/trpc";
import { DataTable } from "@/components/data-table";
import { SelectionBar } from "@/components/data-table-tools";
import { FilterSelect } from "@/components/filter-select";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { RefreshButton } from "@/components/refresh-button";
import { SearchBox } from "@/components/search-box";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { hostTitle } from "@/features/hosts/host-display";
import { formatNumber } from "@/lib/format-number";
import { listSearch, SearchParam } from "@/lib/list-search";
import { useDialog } from "@/lib/use-dialog";
import { useRowSelection } from "@/lib/use-row-selection";
import { HELD_COLUMNS, type HeldRow } from "./held-columns";
import {
  DECISION_LABELS,
  type DecisionSubject,
  type RemovalDecision,
  RemovalDecisionDialog,
} from "./removal-decision-dialog";

const useHeldSearch = listSearch({
  input: {
    search: SearchParam,
    configId: Id.optional().catch(undefined),
    reason: HeldReason.optional().catch(undefined),
  },
  urlOnly: {},
});

/** Hosts that a sync did not find and did not mark gone: a person confirms or keeps them. */
export function HeldRemovalsPage() {
  const search = useHeldSearch();
  const { configId, reason, search: text } = search.params;
  const list = trpc.hosts.heldRemovals.useQuery(search.input, { placeholderData: keepPreviousData });
  const configs = trpc.configs.list.useQuery();
  const { show, dialog } = useDialog<"decide", DecisionSubject>();
  const rows = useMemo(() => list.data?.hosts.map((held) => ({ id: held.host.id, ...held })), [list.data]);
  const selection = useRowSelection(rows);
  const total = list.data?.pagination.total ?? 0;
  const config = configs.data?.find(({ id }, _index, all) => id === configId || all.length === 1);
  // All that the list shows are all of the configuration.
  const isWhole = config !== undefined && reason === undefined && text.trim() === "" && total > 0;
  const whole = isWhole ? { ...config, total } : null;
  const hint = total > 0 && whole === null ? "只筛选一个配置时，可一次处理其全部主机。" : "";
  const decide = dialog("decide");

  /** About the hosts of the rows or, with a configuration, about all of that. */
  function open(
    decision: RemovalDecision,
    about: readonly HeldRow[],
    ofConfig: DecisionSubject["config"] = null,
  ): void {
    show("decide", { decision, hosts: about.map(({ host }) => host), config: ofConfig });
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="待确认消失"
        description={`同步没有找到、但不能断定已删除的主机。它们保持存在；核实后勾选主机，即可确认或保留。${hint}`}
        aside={list.data ? <Badge className="tabular-nums">{formatNumber(total)} 台</Badge> : null}
        actions={
          whole && <RemovalDecisionButtons suffix="全部" onDecide={(decision) => open(decision, rows ?? [], whole)} />
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          label="搜索待确认的主机"
          placeholder="搜索主机名称、资源 ID 或 IP"
          value={text}
          onSearch={(typed) => search.setFilters({ search: typed }, { replace: text !== "" })}
          className="min-w-0 basis-full md:max-w-72 md:flex-1 md:basis-48"
        />
        <FilterSelect
          label="配置"
          all="全部配置"
          className="min-w-0 flex-1 basis-2/5 md:w-40 md:flex-none"
          value={configId}
          onValueChange={(chosenId) => search.setFilters({ configId: chosenId })}
          options={(configs.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
        <FilterSelect
          label="原因"
          all="全部原因"
          className="min-w-0 flex-1 basis-2/5 md:w-44 md:flex-none"
          value={reason}
          onValueChange={(chosenReason) => search.setFilters({ reason: chosenReason })}
          options={HeldReason.options.map((value) => ({ value, label: HELD_REASON_LABELS[value] }))}
        />
        <Button variant="outline" disabled={!search.isNarrowed} onClick={search.clear}>
          重置
        </Button>
        <RefreshButton refetch={list.refetch} />
      </div>
      <SelectionBar count={selection.chosen.length} unit="台主机" onClear={selection.clear}>
        <RemovalDecisionButtons onDecide={(decision) => open(decision, selection.chosen)} />
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
            columns={HELD_COLUMNS}
            rows={rows}
            label="待确认的主机"
            isStale={list.isPlaceholderData}
            selection={{ ...selection, label: ({ host }) => `选择 ${hostTitle(host)}` }}
          />
        )}
      </ListView>
      {decide === null ? null : <RemovalDecisionDialog {...decide} onFinished={selection.keepOnly} />}
    </div>
  );
}

type RemovalDecisionButtonsProps = { suffix?: string; onDecide: (decision: RemovalDecision) => void };

function RemovalDecisionButtons({ suffix = "", onDecide }: RemovalDecisionButtonsProps) {
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
