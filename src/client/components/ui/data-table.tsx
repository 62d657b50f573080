import type { SortOrder } from "@shared/page.ts";
import type { Header, Row as TableRowModel } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Checkbox } from "./checkbox";
import type { DataTableFeatures, DataTableInstance } from "./data-table-features";
import { Skeleton } from "./skeleton";
import { type Density, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "./table";

export type DataTableSort = {
  /** The `meta.sort` of a column, or something that has no column; undefined = the list's own order. */
  by: string | undefined;
  order: SortOrder;
  onChange: (by: string | undefined, order: SortOrder) => void;
};

type DataTableProps<Row extends object> = {
  table: DataTableInstance<Row>;
  label: string;
  density?: Density;
  /** Draws skeleton rows in place of the rows. */
  isLoading?: boolean;
  skeletonRows?: number;
  /** In place of the body when there are no rows. */
  empty?: ReactNode;
  /** Fades the rows while the next page of them is on its way. */
  isStale?: boolean;
  /** Adds the column of checkboxes; says what a row's checkbox is named. */
  selectionLabel?: (row: Row) => string;
  onRowClick?: (row: Row) => void;
  sort?: DataTableSort;
};

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { table, label, density = "comfortable", isLoading = false, isStale = false, selectionLabel } = props;
  const rows = table.getRowModel().rows;
  const columnCount = table.getVisibleLeafColumns().length + (selectionLabel ? 1 : 0);
  return (
    <Table label={label} density={density} aria-busy={isLoading || isStale}>
      <TableHeader>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {selectionLabel ? <SelectAllHead table={table} /> : null}
            {group.headers.map((header) => (
              <HeaderCell key={header.id} table={table} header={header} sort={props.sort} />
            ))}
          </tr>
        ))}
      </TableHeader>
      <TableBody className={cn("transition-opacity", isStale && "opacity-55")}>
        {isLoading ? (
          <SkeletonRows
            columns={columnCount}
            rows={props.skeletonRows ?? 8}
            isSelectable={selectionLabel !== undefined}
          />
        ) : null}
        {!isLoading && rows.length === 0 ? (
          <tr>
            <td colSpan={columnCount}>{props.empty}</td>
          </tr>
        ) : null}
        {isLoading ? null : rows.map((row) => <BodyRow key={row.id} {...props} row={row} />)}
      </TableBody>
    </Table>
  );
}

function HeaderCell<Row extends object>({
  table,
  header,
  sort,
}: {
  table: DataTableInstance<Row>;
  header: Header<DataTableFeatures, Row>;
  sort: DataTableSort | undefined;
}) {
  const meta = header.column.columnDef.meta;
  const by = meta?.sort;
  const sorted = by !== undefined && by === sort?.by ? sort.order : null;
  const content = header.isPlaceholder ? null : <table.FlexRender header={header} />;
  return (
    <TableHead
      className={cn(meta?.align === "right" && "text-right", meta?.isPinned && "pinned-right", meta?.className)}
      aria-sort={sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : undefined}
    >
      {sort !== undefined && by !== undefined ? (
        <button
          type="button"
          // Ascending, descending, then the list's own order again.
          onClick={() => sort.onChange(sorted === "desc" ? undefined : by, sorted === "asc" ? "desc" : "asc")}
          className={cn(
            "group/sort -mx-1.5 inline-flex h-6 items-center gap-1 rounded-sm px-1.5 hover:bg-accent hover:text-foreground",
            sorted && "text-foreground",
          )}
        >
          {content}
          <SortIcon sorted={sorted} />
        </button>
      ) : (
        content
      )}
    </TableHead>
  );
}

function SortIcon({ sorted }: { sorted: SortOrder | null }) {
  if (sorted === "asc") return <ArrowUp aria-hidden="true" className="size-3.5" />;
  if (sorted === "desc") return <ArrowDown aria-hidden="true" className="size-3.5" />;
  return <ChevronsUpDown aria-hidden="true" className="size-3.5 opacity-60 group-hover/sort:opacity-100" />;
}

/** Judged by the rows at hand: the selection may hold rows of other pages. */
function SelectAllHead<Row extends object>({ table }: { table: DataTableInstance<Row> }) {
  const rows = table.getRowModel().rows;
  const chosen = rows.filter((row) => row.getIsSelected()).length;
  const isAll = rows.length > 0 && chosen === rows.length;
  return (
    <TableHead className="w-10 pr-0">
      <Checkbox
        aria-label="选择本页全部"
        checked={isAll ? true : chosen > 0 ? "indeterminate" : false}
        disabled={rows.length === 0}
        onCheckedChange={() => table.toggleAllRowsSelected(!isAll)}
      />
    </TableHead>
  );
}

function BodyRow<Row extends object>({
  table,
  row,
  selectionLabel,
  onRowClick,
}: DataTableProps<Row> & { row: TableRowModel<DataTableFeatures, Row> }) {
  return (
    <TableRow
      data-state={row.getIsSelected() ? "selected" : undefined}
      className={onRowClick && "cursor-pointer"}
      onClick={(event) => {
        // Links, buttons and checkboxes in the row act for themselves; the row's click is a convenience beside a link in it.
        const inner =
          event.target instanceof Element && event.target.closest("a, button, input, label, [role='menuitem']");
        if (!inner) onRowClick?.(row.original);
      }}
    >
      {selectionLabel ? (
        <TableCell className="w-10 pr-0">
          <Checkbox
            aria-label={selectionLabel(row.original)}
            checked={row.getIsSelected()}
            disabled={!row.getCanSelect()}
            onCheckedChange={(checked) => row.toggleSelected(checked === true)}
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
              meta?.isPinned && "pinned-right",
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

type SkeletonRowsProps = { columns: number; rows: number; isSelectable: boolean };

function SkeletonRows({ columns, rows, isSelectable }: SkeletonRowsProps) {
  const widths = ["w-3/5", "w-4/5", "w-2/5", "w-1/2"];
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <TableRow key={row} className="hover:bg-transparent">
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <TableCell key={column} className={cn(isSelectable && column === 0 && "w-10 pr-0")}>
          <Skeleton
            className={cn(
              isSelectable && column === 0 ? "size-4 rounded-sm" : ["h-4", widths[(row + column) % widths.length]],
            )}
          />
        </TableCell>
      ))}
    </TableRow>
  ));
}
