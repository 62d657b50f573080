import type { SortOrder } from "@shared/page.ts";
import {
  type ColumnVisibilityState,
  columnVisibilityFeature,
  createColumnHelper,
  type Header,
  type ReactTable,
  type RowSelectionState,
  rowSelectionFeature,
  type TableOptions,
  type Row as TableRowModel,
  tableFeatures,
  type Updater,
  useTable,
} from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { Skeleton } from "@/components/ui/skeleton";
import { type Density, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { cn } from "@/lib/cn";

type DataTableColumnMeta = {
  /** The server's sort key; without it the header is no button. */
  sort?: string;
  align?: "right";
  /** On header and cells. */
  className?: string;
  /** Stays at the right edge while the other columns scroll. */
  isPinned?: boolean;
};

const columnMeta: DataTableColumnMeta = {};
/** Selection and hidden columns. The server sorts and pages. */
const features = tableFeatures({ rowSelectionFeature, columnVisibilityFeature, columnMeta });
type Features = typeof features;
export type DataTableInstance<Row extends object> = ReactTable<Features, Row>;

type ColumnSpec<Row> = DataTableColumnMeta & {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** False for a column that cannot be hidden. */
  enableHiding?: boolean;
};

/** Columns that draw each cell from its row: `tableColumns<User>([{ id: "name", header: "姓名", cell: ({ name }) => name }])`. */
export function tableColumns<Row extends object>(specs: readonly ColumnSpec<Row>[]) {
  const column = createColumnHelper<Features, Row>();
  return column.columns(
    specs.map(({ id, header, cell, enableHiding = true, ...meta }) =>
      column.display({ id, header, enableHiding, meta, cell: ({ row }) => cell(row.original) }),
    ),
  );
}

export type DataTableSorting = {
  /** The `meta.sort` of a column; undefined is the list's own order. */
  by: string | undefined;
  order: SortOrder;
  onChange: (by: string | undefined, order: SortOrder) => void;
};

type DataTableProps<Row extends object> = {
  /** Memoise them: new columns mount every cell anew, which loses focus and open menus. */
  columns: TableOptions<Features, Row>["columns"];
  /** Undefined draws skeleton rows. */
  rows: readonly Row[] | undefined;
  label: string;
  /** Fades the rows while the next page is loading. */
  isStale?: boolean;
  sorting?: DataTableSorting;
  /** Adds a column of checkboxes. `state` may hold rows of other pages. */
  selection?:
    | {
        state: RowSelectionState;
        onChange: (updater: Updater<RowSelectionState>) => void;
        /** Names the checkbox of a row. */
        label: (row: Row) => string;
      }
    | undefined;
  visibility?: { state: ColumnVisibilityState; onChange: (updater: Updater<ColumnVisibilityState>) => void };
  density?: Density;
  onRowClick?: (row: Row) => void;
  /** Above the table, in its card. */
  toolbar?: (table: DataTableInstance<Row>) => ReactNode;
};

const NO_ROWS: readonly never[] = [];
const NO_STATE = {};

/** A table in a card; rows are known by their `id`. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { columns, rows: data, label, isStale = false, sorting, selection, visibility, onRowClick } = props;
  const table = useTable({
    features,
    columns,
    data: data ?? NO_ROWS,
    getRowId: (row) => row.id,
    state: {
      rowSelection: selection?.state ?? NO_STATE,
      columnVisibility: visibility?.state ?? NO_STATE,
    },
    ...(selection === undefined ? {} : { onRowSelectionChange: selection.onChange }),
    ...(visibility === undefined ? {} : { onColumnVisibilityChange: visibility.onChange }),
  });
  return (
    <Card className="overflow-hidden">
      {props.toolbar?.(table)}
      <Table label={label} density={props.density ?? "comfortable"} aria-busy={data === undefined || isStale}>
        <TableHeader>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {selection === undefined ? null : <SelectAllHead table={table} />}
              {group.headers.map((header) => (
                <HeaderCell key={header.id} table={table} header={header} sorting={sorting} />
              ))}
            </tr>
          ))}
        </TableHeader>
        <TableBody className={cn("transition-opacity", isStale && "opacity-55")}>
          {data === undefined ? (
            <SkeletonRows columns={table.getVisibleLeafColumns().length} isSelectable={selection !== undefined} />
          ) : (
            table
              .getRowModel()
              .rows.map((row) => (
                <BodyRow
                  key={row.id}
                  table={table}
                  row={row}
                  selectionLabel={selection?.label}
                  onRowClick={onRowClick}
                />
              ))
          )}
        </TableBody>
      </Table>
    </Card>
  );
}

/** Over what scrolls under it. A cell of a table with collapsed borders has no border of its own: it draws the line. */
const PINNED =
  "sticky right-0 z-1 bg-inherit before:absolute before:inset-y-0 before:left-0 before:w-px before:bg-border-strong";

type HeaderCellProps<Row extends object> = {
  table: DataTableInstance<Row>;
  header: Header<Features, Row>;
  sorting: DataTableSorting | undefined;
};

function HeaderCell<Row extends object>({ table, header, sorting }: HeaderCellProps<Row>) {
  const meta = header.column.columnDef.meta;
  const by = meta?.sort;
  const sorted = by !== undefined && by === sorting?.by ? sorting.order : null;
  const content = header.isPlaceholder ? null : <table.FlexRender header={header} />;
  return (
    <TableHead
      className={cn(meta?.align === "right" && "text-right", meta?.isPinned && PINNED, meta?.className)}
      aria-sort={sorted === null ? undefined : sorted === "asc" ? "ascending" : "descending"}
    >
      {sorting === undefined || by === undefined ? (
        content
      ) : (
        <button
          type="button"
          // Ascending, descending, then the list's own order again.
          onClick={() => sorting.onChange(sorted === "desc" ? undefined : by, sorted === "asc" ? "desc" : "asc")}
          className={cn(
            "group/sort -mx-1.5 inline-flex h-6 items-center gap-1 rounded-sm px-1.5 hover:bg-accent hover:text-foreground",
            sorted && "text-foreground",
          )}
        >
          {content}
          <SortIcon sorted={sorted} />
        </button>
      )}
    </TableHead>
  );
}

function SortIcon({ sorted }: { sorted: SortOrder | null }) {
  if (sorted === "asc") return <ArrowUp aria-hidden="true" className="size-3.5" />;
  if (sorted === "desc") return <ArrowDown aria-hidden="true" className="size-3.5" />;
  return <ChevronsUpDown aria-hidden="true" className="size-3.5 opacity-60 group-hover/sort:opacity-100" />;
}

/** Of the rows of this page alone. */
function SelectAllHead<Row extends object>({ table }: { table: DataTableInstance<Row> }) {
  const rows = table.getRowModel().rows;
  const selected = rows.filter((row) => row.getIsSelected()).length;
  const isAll = rows.length > 0 && selected === rows.length;
  return (
    <TableHead className="w-10 pr-0">
      <Checkbox
        aria-label="选择本页全部"
        checked={isAll ? true : selected > 0 ? "indeterminate" : false}
        disabled={rows.length === 0}
        onCheckedChange={() => table.toggleAllRowsSelected(!isAll)}
      />
    </TableHead>
  );
}

type BodyRowProps<Row extends object> = {
  table: DataTableInstance<Row>;
  row: TableRowModel<Features, Row>;
  selectionLabel: ((row: Row) => string) | undefined;
  onRowClick: ((row: Row) => void) | undefined;
};

function BodyRow<Row extends object>({ table, row, selectionLabel, onRowClick }: BodyRowProps<Row>) {
  return (
    <TableRow
      data-state={row.getIsSelected() ? "selected" : undefined}
      className={onRowClick && "cursor-pointer"}
      onClick={(event) => {
        // Controls in the row act for themselves.
        const control =
          event.target instanceof Element && event.target.closest("a, button, input, label, [role='menuitem']");
        if (!control) onRowClick?.(row.original);
      }}
    >
      {selectionLabel ? (
        <TableCell className="w-10 pr-0">
          <Checkbox
            aria-label={selectionLabel(row.original)}
            checked={row.getIsSelected()}
            // With Shift, all rows from the one clicked last.
            onClick={({ shiftKey }) =>
              row.getToggleSelectedHandler()({ target: { checked: !row.getIsSelected() }, shiftKey })
            }
          />
        </TableCell>
      ) : null}
      {row.getVisibleCells().map((cell) => {
        const meta = cell.column.columnDef.meta;
        return (
          <TableCell
            key={cell.id}
            className={cn(
              meta?.align === "right" && "text-right whitespace-nowrap",
              meta?.isPinned && PINNED,
              meta?.className,
            )}
          >
            <table.FlexRender cell={cell} />
          </TableCell>
        );
      })}
    </TableRow>
  );
}

const SKELETON_ROWS = 8;
const SKELETON_WIDTHS = ["w-3/5", "w-4/5", "w-2/5", "w-1/2"];

function SkeletonRows({ columns, isSelectable }: { columns: number; isSelectable: boolean }) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <TableRow key={row} className="hover:bg-transparent">
      {isSelectable ? (
        <TableCell className="w-10 pr-0">
          <Skeleton className="size-4 rounded-sm" />
        </TableCell>
      ) : null}
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <TableCell key={column}>
          <Skeleton className={cn("h-4", SKELETON_WIDTHS[(row + column) % SKELETON_WIDTHS.length])} />
        </TableCell>
      ))}
    </TableRow>
  ));
}
