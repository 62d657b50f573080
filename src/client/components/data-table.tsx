import type { SortOrder } from "@shared/page.ts";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { Skeleton } from "@/components/ui/skeleton";
import {
  type Density,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
  TableRowHead,
} from "@/components/ui/table";
import { cn } from "@/lib/cn";
import { endsTextSelection, follow, MIDDLE_BUTTON } from "@/lib/follow";
import { pageCheckedState, type Selection } from "@/lib/use-row-selection";

export type Column<Row> = {
  id: string;
  header: string;
  /** Beside the header, such as that the column has no effect. */
  headerNote?: string;
  /** Called, not mounted: what needs hooks is a component of its own. */
  cell: (row: Row) => ReactNode;
  /** The server's sort key; without it the header is no button. */
  sort?: string;
  align?: "right";
  className?: string;
  /**
   * The edge at which it stays while the other columns scroll. The right one holds controls, and is
   * not printed.
   */
  pinned?: keyof typeof PINNED;
  /** Its cells name their rows. */
  isRowHead?: boolean;
  enableHiding?: boolean;
};

type DataTableSorting = {
  /** The `sort` of a column; undefined is the list's own order. */
  by: string | undefined;
  order: SortOrder;
  onChange: (by: string | undefined, order: SortOrder) => void;
};

type DataTableProps<Row extends { id: string }> = {
  columns: readonly Column<Row>[];
  /** Undefined draws skeleton rows. */
  rows: readonly Row[] | undefined;
  label: string;
  /** Fades the rows while the next page is loading. */
  isStale?: boolean;
  sorting?: DataTableSorting;
  selection?: RowSelection<Row> | undefined;
  density?: Density;
  /** Where a click on a row leads, unless it is on a control of the row. */
  rowHref?: (row: Row) => string;
  toolbar?: ReactNode;
};

type RowSelection<Row extends { id: string }> = Pick<
  Selection<Row>,
  "has" | "toggle" | "togglePage"
> & {
  label: (row: Row) => string;
};

/** A table in a card; the server sorts and pages. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { columns, rows, label, isStale = false, sorting, selection, rowHref } = props;
  return (
    <Card className="overflow-clip print:overflow-visible">
      {props.toolbar}
      <Table
        label={label}
        density={props.density ?? "comfortable"}
        aria-busy={rows === undefined || isStale}
      >
        <TableHeader>
          <tr>
            {selection === undefined ? null : (
              <SelectAllHead rows={rows ?? []} selection={selection} />
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sorting={sorting} />
            ))}
          </tr>
        </TableHeader>
        <TableBody className={cn("transition-opacity", isStale && "opacity-55")}>
          {rows === undefined ? (
            <SkeletonRows columns={columns.length} isSelectable={selection !== undefined} />
          ) : (
            rows.map((row) => (
              <BodyRow
                key={row.id}
                row={row}
                columns={columns}
                selection={selection}
                rowHref={rowHref}
              />
            ))
          )}
        </TableBody>
      </Table>
    </Card>
  );
}

/**
 * Opaque, above what scrolls under it. With collapsed borders a cell has no border of its own:
 * `before` draws the line.
 */
const PINNED = {
  left: "sticky left-0 z-1 bg-inherit print:static",
  right:
    "sticky right-0 z-1 bg-inherit before:absolute before:inset-y-0 before:left-0 before:w-px before:bg-border print:hidden",
};

const ARIA_SORTS = { asc: "ascending", desc: "descending" } as const;

function HeaderCell<Row>({
  column,
  sorting,
}: {
  column: Column<Row>;
  sorting: DataTableSorting | undefined;
}) {
  const { sort: by, header, headerNote } = column;
  const sorted = by !== undefined && by === sorting?.by ? sorting.order : null;

  return (
    <TableHead
      className={cn(
        column.align === "right" && "text-right",
        column.pinned && PINNED[column.pinned],
        column.className,
      )}
      aria-sort={sorted === null ? undefined : ARIA_SORTS[sorted]}
    >
      {sorting === undefined || by === undefined ? (
        <>
          <span>{header}</span>
          {headerNote === undefined ? null : <HeaderNote text={headerNote} />}
        </>
      ) : (
        <button
          type="button"
          // Ascending, descending, then the list's own order again.
          onClick={() =>
            sorting.onChange(sorted === "desc" ? undefined : by, sorted === "asc" ? "desc" : "asc")
          }
          className={cn(
            "group/sort -mx-1.5 inline-flex h-6 items-center gap-1 rounded-sm px-1.5 hover:bg-accent hover:text-foreground",
            sorted && "text-foreground",
          )}
        >
          {header}
          <SortIcon sorted={sorted} />
        </button>
      )}
    </TableHead>
  );
}

function HeaderNote({ text }: { text: string }) {
  return <span className="ml-1.5 text-xs font-normal text-subtle-foreground">{text}</span>;
}

function SortIcon({ sorted }: { sorted: SortOrder | null }) {
  if (sorted === "asc") return <ArrowUp className="size-3.5" />;
  if (sorted === "desc") return <ArrowDown className="size-3.5" />;
  return <ChevronsUpDown className="size-3.5 opacity-60 group-hover/sort:opacity-100" />;
}

/** Its checkbox takes the clicks on all of it. */
const TICK_CELL = "relative w-10 pr-0";

type SelectAllHeadProps<Row extends { id: string }> = {
  rows: readonly Row[];
  selection: RowSelection<Row>;
};

function SelectAllHead<Row extends { id: string }>({ rows, selection }: SelectAllHeadProps<Row>) {
  return (
    <TableHead className={TICK_CELL}>
      <Checkbox
        fillsParent
        aria-label="选择本页全部"
        checked={pageCheckedState(rows, selection.has)}
        disabled={rows.length === 0}
        onCheckedChange={selection.togglePage}
      />
    </TableHead>
  );
}

type BodyRowProps<Row extends { id: string }> = {
  row: Row;
  columns: readonly Column<Row>[];
  selection: RowSelection<Row> | undefined;
  rowHref: ((row: Row) => string) | undefined;
};

function BodyRow<Row extends { id: string }>({
  row,
  columns,
  selection,
  rowHref,
}: BodyRowProps<Row>) {
  const isSelected = selection?.has(row) ?? false;

  function open(event: MouseEvent<HTMLElement>): void {
    if (rowHref === undefined || isOnControl(event) || endsTextSelection(event)) return;
    follow(event, rowHref(row));
  }

  return (
    <TableRow
      data-state={isSelected ? "selected" : undefined}
      className={rowHref && "cursor-pointer"}
      onClick={open}
      onAuxClick={(event) => {
        if (event.button === MIDDLE_BUTTON) open(event);
      }}
    >
      {selection === undefined ? null : (
        <TableCell className={TICK_CELL}>
          <Checkbox
            fillsParent
            aria-label={selection.label(row)}
            checked={isSelected}
            onClick={({ shiftKey }) => selection.toggle(row, shiftKey)}
          />
        </TableCell>
      )}
      {columns.map((column) => (
        <RowCell key={column.id} column={column} row={row} />
      ))}
    </TableRow>
  );
}

function RowCell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { cell, align, pinned, className, isRowHead = false } = column;
  const Cell = isRowHead ? TableRowHead : TableCell;
  return (
    <Cell
      className={cn(
        align === "right" && "text-right whitespace-nowrap",
        pinned && PINNED[pinned],
        className,
      )}
    >
      {cell(row)}
    </Cell>
  );
}

/** Controls in a row act for themselves. */
function isOnControl({ target }: MouseEvent): boolean {
  return (
    target instanceof Element &&
    target.closest("a, button, input, label, [role='menuitem']") !== null
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
          <Skeleton
            className={cn("h-4", SKELETON_WIDTHS[(row + column) % SKELETON_WIDTHS.length])}
          />
        </TableCell>
      ))}
    </TableRow>
  ));
}
