import type { SortOrder } from "@shared/page.ts";
import { type RowSelectionState, useTable } from "@tanstack/react-table";
import { Ellipsis, Plus, RefreshCw, Search, Users } from "lucide-react";
import { useMemo, useState } from "react";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyableText } from "@/components/ui/copyable-text";
import { DataTable } from "@/components/ui/data-table";
import { dataColumns, dataTableFeatures } from "@/components/ui/data-table-features";
import { ColumnChooser, DensityToggle, SelectionBar } from "@/components/ui/data-table-tools";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { Pagination } from "@/components/ui/pagination";
import { SegmentedControl } from "@/components/ui/segmented-control";
import type { Density } from "@/components/ui/table";
import { currentSeconds, formatDate, formatMemory, formatTimeLeft } from "@/lib/format";
import { Section } from "./section";

type ExampleHost = {
  id: string;
  name: string;
  ucloudId: string;
  running: boolean;
  memory: number;
  owner: string;
  expiry: number;
};

type ExampleSort = { by: string | undefined; order: SortOrder };

const now = currentSeconds();
const hosts: ExampleHost[] = Array.from({ length: 8 }, (_, index) => ({
  id: String(index),
  name:
    ["web-01", "web-02", "api-gateway", "数据库主节点", "数据库从节点", "缓存", "日志收集", "build-runner"][index] ??
    "",
  ucloudId: `uhost-2x9k4m${index}a`,
  running: index % 3 !== 1,
  memory: [2048, 4096, 8192, 65_536, 65_536, 1536, 16_384, 32_768][index] ?? 1024,
  owner: ["张伟", "李娜", "王芳", "陈晨"][index % 4] ?? "",
  expiry: now + ([11, 96, -3, 5, 211, 1, 364, 30][index] ?? 0) * 86_400,
}));

const column = dataColumns<ExampleHost>();
const columns = column.columns([
  column.accessor("name", {
    header: "主机",
    meta: { label: "主机", sort: "name" },
    enableHiding: false,
    cell: ({ row }) => (
      <div className="min-w-40">
        <p className="font-medium">{row.original.name}</p>
        <CopyableText text={row.original.ucloudId} label="资源 ID" className="-my-1 text-muted-foreground" />
      </div>
    ),
  }),
  column.accessor("running", {
    header: "状态",
    meta: { label: "状态", sort: "running" },
    cell: ({ row }) => (
      <Badge dot tone={row.original.running ? "success" : "neutral"}>
        {row.original.running ? "运行中" : "已停止"}
      </Badge>
    ),
  }),
  column.accessor("memory", {
    header: "内存",
    meta: { label: "内存", align: "right", sort: "memory" },
    cell: ({ row }) => formatMemory(row.original.memory),
  }),
  column.accessor("owner", {
    header: "用户",
    meta: { label: "用户", sort: "owner" },
    cell: ({ row }) => (
      <span className="inline-flex items-center gap-2 whitespace-nowrap">
        <Avatar name={row.original.owner} size="sm" />
        {row.original.owner}
      </span>
    ),
  }),
  column.accessor("expiry", {
    header: "到期时间",
    meta: { label: "到期时间", sort: "expiry" },
    cell: ({ row }) => <Expiry at={row.original.expiry} />,
  }),
  column.display({
    id: "actions",
    header: () => <span className="sr-only">操作</span>,
    meta: { align: "right" },
    cell: ({ row }) => (
      <Button variant="ghost" icon size="sm" aria-label={`${row.original.name} 的更多操作`}>
        <Ellipsis aria-hidden="true" />
      </Button>
    ),
  }),
]);

const states = [
  { value: "full", label: "有数据" },
  { value: "loading", label: "加载中" },
  { value: "empty", label: "空" },
  { value: "stale", label: "翻页中" },
] as const;
const none: ExampleHost[] = [];

export function TableExamples() {
  const [state, setState] = useState<(typeof states)[number]["value"]>("full");
  const [density, setDensity] = useState<Density>("comfortable");
  const [page, setPage] = useState(4);
  const [{ by, order }, setSort] = useState<ExampleSort>({ by: "expiry", order: "asc" });
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({});
  const sorted = useMemo(() => inOrder(hosts, { by, order }), [by, order]);
  const table = useTable({
    features: dataTableFeatures,
    columns,
    data: state === "empty" ? none : sorted,
    getRowId: (host) => host.id,
    state: { rowSelection },
    onRowSelectionChange: setRowSelection,
  });
  return (
    <Section title="表格">
      <SegmentedControl aria-label="示例状态" value={state} onValueChange={setState} segments={states} />
      <div className="flex flex-wrap items-center gap-2">
        <div className="w-full sm:w-64">
          <Input type="search" aria-label="搜索" leading={<Search />} placeholder="搜索主机名或资源 ID" />
        </div>
        <div className="flex flex-1 flex-wrap items-center justify-end gap-2">
          <DensityToggle density={density} onDensityChange={setDensity} />
          <ColumnChooser table={table} />
          <Button>
            <Plus aria-hidden="true" />
            新建
          </Button>
        </div>
      </div>
      <Card className="overflow-hidden">
        <DataTable
          table={table}
          label="示例主机"
          density={density}
          isLoading={state === "loading"}
          isStale={state === "stale"}
          sort={{ by, order, onChange: (next, direction) => setSort({ by: next, order: direction }) }}
          selectionLabel={(host) => `选择 ${host.name}`}
          empty={
            <EmptyState
              icon={Users}
              title="暂无主机"
              description="请先同步主机"
              action={
                <Button>
                  <RefreshCw aria-hidden="true" />
                  同步主机
                </Button>
              }
            />
          }
        />
      </Card>
      <Pagination page={page} totalPages={17} total={1302} onPageChange={setPage} />
      <SelectionBar count={table.getSelectedRowIds().length} unit="台主机" onClear={() => setRowSelection({})}>
        <Button variant="outline">同步</Button>
        <Button variant="outline">分配</Button>
      </SelectionBar>
    </Section>
  );
}

/** What the server does for the product's lists. */
function inOrder(rows: readonly ExampleHost[], { by, order }: ExampleSort): readonly ExampleHost[] {
  if (by === undefined) return rows;
  const valueIn = (row: ExampleHost) => new Map<string, unknown>(Object.entries(row)).get(by);
  const sorted = rows.toSorted((one, other) => compare(valueIn(one), valueIn(other)));
  return order === "asc" ? sorted : sorted.reverse();
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === "string" && typeof other === "string") return one.localeCompare(other, "zh-CN");
  return Number(one) - Number(other);
}

function Expiry({ at }: { at: number }) {
  const left = at - currentSeconds();
  const tone = left < 0 ? "danger" : left <= 7 * 86_400 ? "warning" : "neutral";
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      {formatDate(at)}
      <Badge tone={tone}>{formatTimeLeft(at)}</Badge>
    </span>
  );
}
