import {
  HELD_REASON_LABELS,
  type HeldHost,
  type HeldHostList,
  HeldReason,
} from "@shared/held-hosts.ts";
import type { Host } from "@shared/hosts.ts";
import { Id } from "@shared/ids.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { Check, CloudOff, ShieldCheck } from "lucide-react";
import { trpc } from "@/api/trpc";
import { type Column, DataTable } from "@/components/data-table";
import { SelectionBar } from "@/components/data-table-tools";
import { ConfigName, hostTitle } from "@/components/hosts/host-display";
import { HostName } from "@/components/hosts/host-name";
import { UsersCell } from "@/components/hosts/users-cell";
import { FilterSelect, SearchBox } from "@/components/list-filters";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { RefreshButton } from "@/components/refresh-button";
import { RelativeTime } from "@/components/relative-time";
import { SelectAll } from "@/components/select-all";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format-number";
import { listSearch, SearchParam } from "@/lib/list-search";
import { useDialog } from "@/lib/use-dialog";
import { useRowSelection } from "@/lib/use-row-selection";
import {
  DECISION_LABELS,
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

type HeldRow = HeldHost & { id: string };

/** Not sortable: those that were held last come first. A phone shows host and reason. */
const HELD_COLUMNS: readonly Column<HeldRow>[] = [
  {
    id: "host",
    header: "主机",
    className: "w-[26%] min-w-44 max-w-0",
    cell: ({ host }) => <HostName host={host} href={`/hosts?host=${host.id}`} />,
  },
  {
    id: "reason",
    header: "原因",
    className: "whitespace-nowrap",
    cell: ({ reason }) => HELD_REASON_LABELS[reason],
  },
  {
    id: "heldAt",
    header: "暂缓时间",
    className: "whitespace-nowrap",
    cell: ({ heldAt }) => <RelativeTime at={heldAt} />,
  },
  {
    id: "config",
    header: "云账号",
    className: "max-w-40 truncate",
    cell: ({ configId }) => <ConfigName id={configId} />,
  },
  {
    id: "zone",
    header: "可用区",
    className: "min-w-29 break-keep",
    cell: ({ host }) => host.zoneName,
  },
  { id: "users", header: "分配用户", cell: ({ host }) => <UsersCell host={host} /> },
];

/** Hosts that a sync did not find and did not mark gone: a person confirms or keeps them. */
export function HeldRemovalsPage() {
  const search = useHeldSearch();
  const { configId, reason, search: text } = search.params;
  const list = trpc.hosts.heldRemovals.useQuery(search.input, {
    placeholderData: keepPreviousData,
    select: toRows,
  });
  const configs = trpc.configs.list.useQuery();
  const { client } = trpc.useUtils();
  const { show, dialog } = useDialog<RemovalDecision, readonly Host[]>();
  const selection = useRowSelection(list.data?.rows);
  const total = list.data?.pagination.total ?? 0;
  const chosenHosts = selection.chosen.map(({ host }) => host);
  const confirm = dialog("confirm");
  const dismiss = dialog("dismiss");

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="待确认消失"
        description="同步没有找到、但不能断定已删除的主机。它们保持存在；核实后勾选主机，即可确认或保留。"
        aside={list.data ? <Badge className="tabular-nums">{formatNumber(total)} 台</Badge> : null}
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
          label="云账号"
          all="全部云账号"
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
        <SelectAll
          selection={selection}
          rows={list.isPlaceholderData ? undefined : list.data?.rows}
          total={total}
          read={async (paging) =>
            (await client.hosts.heldRemovals.query({ ...search.input, ...paging })).hosts.map(
              heldRow,
            )
          }
        >
          <Button variant="outline" onClick={() => show("dismiss", chosenHosts)}>
            <Check className="max-sm:hidden" />
            {DECISION_LABELS.dismiss}
          </Button>
          <Button variant="danger" onClick={() => show("confirm", chosenHosts)}>
            <CloudOff className="max-sm:hidden" />
            {DECISION_LABELS.confirm}
          </Button>
        </SelectAll>
      </SelectionBar>
      <ListView
        list={list}
        search={search}
        noun="待确认的主机"
        unit="台"
        empty={{
          icon: ShieldCheck,
          title: "没有待确认的主机",
          description:
            "同步中大量主机消失、地域变空或无法读取时，未找到的主机会列在这里，等您核实。",
        }}
      >
        {(page) => (
          <DataTable
            columns={HELD_COLUMNS}
            rows={page?.rows}
            label="待确认的主机"
            isStale={list.isPlaceholderData}
            selection={{ ...selection, label: ({ host }) => `选择 ${hostTitle(host)}` }}
          />
        )}
      </ListView>
      {confirm && (
        <RemovalDecisionDialog decision="confirm" {...confirm} onFinished={selection.keepOnly} />
      )}
      {dismiss && (
        <RemovalDecisionDialog decision="dismiss" {...dismiss} onFinished={selection.keepOnly} />
      )}
    </div>
  );
}

/**
 * At module level: so it is called for new data only, and rows that did not change stay the same
 * objects.
 */
function toRows({ hosts, pagination }: HeldHostList) {
  return { rows: hosts.map(heldRow), pagination };
}

function heldRow(held: HeldHost): HeldRow {
  return { id: held.host.id, ...held };
}
