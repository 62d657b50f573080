import type { HeldHost, HeldHostList } from "@shared/held-hosts.ts";
import type { Host } from "@shared/hosts.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { ArrowLeft, Check, CloudOff, ShieldCheck } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { useRestOfBatch } from "@/components/batch/use-rest-of-batch";
import { DataTable } from "@/components/data-table";
import { SelectionBar } from "@/components/data-table-tools";
import { hostTitle } from "@/components/hosts/host-facts";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { SelectAll } from "@/components/select-all";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format-number";
import { useDialog } from "@/lib/use-dialog";
import { type Selection, useRowSelection } from "@/lib/use-row-selection";
import { type HeldRow, heldColumns } from "./held-columns";
import { HeldFilters, useHeldSearch } from "./held-filters";
import { RemovalDecisionDialog } from "./removal-decision-dialog";
import { DECISION_LABELS, type RemovalDecision } from "./removal-decisions";
import { useReadHeld } from "./use-read-held";

/** Hosts that a sync did not find and did not mark gone: a person confirms or keeps them. */
export function HeldRemovalsPage() {
  const search = useHeldSearch();
  const list = trpc.hosts.heldRemovals.useQuery(search.input, {
    placeholderData: keepPreviousData,
    select: toRows,
  });
  const selection = useRowSelection(list.data?.rows);
  const total = list.data?.pagination.total ?? 0;
  const { show, dialog } = useDialog<RemovalDecision, readonly Host[]>();
  const confirm = dialog("confirm");
  const dismiss = dialog("dismiss");

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="待确认消失"
        description="同步没有找到、但不能断定已删除的主机；请核实后确认或保留。地域列表为空的，24 小时后仍为空时会自动标记；合计超过 30% 的仍须确认。"
        actions={
          <Button variant="outline" asChild>
            <Link href="/hosts">
              <ArrowLeft />
              <span>返回主机管理</span>
            </Link>
          </Button>
        }
        aside={list.data ? <Badge className="tabular-nums">{formatNumber(total)} 台</Badge> : null}
      />
      <HeldFilters search={search} />
      <DecisionBar
        selection={selection}
        rows={list.isPlaceholderData ? undefined : list.data?.rows}
        total={total}
        filters={search.input}
        onDecide={show}
      />
      <ListView
        list={list}
        search={search}
        noun="待确认的主机"
        unit="台"
        empty={{
          icon: ShieldCheck,
          title: "没有待确认的主机",
          description:
            "同步中大批主机消失、地域列表为空、地域或项目不可用时，未找到的主机会列在这里，等您核实。",
        }}
      >
        {(page) => (
          <DataTable
            columns={heldColumns((decision, host) => show(decision, [host]))}
            rows={page?.rows}
            label="待确认的主机"
            isStale={list.isPlaceholderData}
            selection={{ ...selection, label: ({ host }) => `选择 ${hostTitle(host)}` }}
          />
        )}
      </ListView>
      {confirm === null ? null : (
        <RemovalDecisionDialog decision="confirm" {...confirm} onFinished={selection.keepOnly} />
      )}
      {dismiss === null ? null : (
        <RemovalDecisionDialog decision="dismiss" {...dismiss} onFinished={selection.keepOnly} />
      )}
    </div>
  );
}

/** At module level: so it is called for new data only. */
function toRows({ hosts, pagination }: HeldHostList) {
  return { rows: hosts.map(heldRow), pagination };
}

function heldRow(held: HeldHost): HeldRow {
  return { id: held.host.id, ...held };
}

type DecisionBarProps = {
  selection: Selection<HeldRow>;
  /** The page of the list; undefined while it is loading. */
  rows: readonly HeldRow[] | undefined;
  total: number;
  filters: ReturnType<typeof useHeldSearch>["input"];
  onDecide: (decision: RemovalDecision, hosts: readonly Host[]) => void;
};

/** The decisions about the chosen hosts. */
function DecisionBar({ selection, rows, total, filters, onDecide }: DecisionBarProps) {
  const { client } = trpc.useUtils();
  const readHeld = useReadHeld();
  useRestOfBatch(selection, async (ids) =>
    (await readHeld()).map(heldRow).filter(({ id }) => ids.includes(id)),
  );
  const chosenHosts = selection.chosen.map(({ host }) => host);

  async function readPage(paging: { page: number; limit: number }): Promise<HeldRow[]> {
    const { hosts } = await client.hosts.heldRemovals.query({ ...filters, ...paging });
    return hosts.map(heldRow);
  }

  return (
    <SelectionBar count={selection.chosen.length} unit="台主机" onClear={selection.clear}>
      <SelectAll selection={selection} rows={rows} total={total} read={readPage}>
        <Button variant="outline" onClick={() => onDecide("dismiss", chosenHosts)}>
          <Check className="max-sm:hidden" />
          {DECISION_LABELS.dismiss}
        </Button>
        <Button variant="danger" onClick={() => onDecide("confirm", chosenHosts)}>
          <CloudOff className="max-sm:hidden" />
          {DECISION_LABELS.confirm}
        </Button>
      </SelectAll>
    </SelectionBar>
  );
}
