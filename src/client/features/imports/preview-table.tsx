import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { BreakableAddress } from "@/components/contact-links";
import { CountChip } from "@/components/count-chip";
import { type Column, DataTable } from "@/components/data-table";
import { Pagination } from "@/components/ui/pagination";
import { cn } from "@/lib/cn";
import { NOTHING } from "@/lib/format";
import { serverNow } from "@/lib/server-time";
import { errorTexts } from "./error-texts";
import { type FileColumn, fileColumns } from "./file-columns";
import type { ImportKind } from "./import-kind";
import { ROW_STATE_LABELS, ROW_STATES, type RowState, type ShownRow } from "./import-rows";
import { RowStateIcon, RowStateMark } from "./row-state";
import { earlierText } from "./update-texts";

/** As many rows as are drawn at once, of up to 5,000. */
const PAGE_LENGTH = 100;

type PreviewTableProps = {
  label: string;
  header: readonly string[];
  columns: ImportKind["columns"];
  rows: readonly ShownRow[];
};

/** Each row of the file with what happens to it, filtered by that. */
export function PreviewTable({ label, header, columns, rows }: PreviewTableProps) {
  const [chosen, setChosen] = useState<RowState | "all">("all");
  const [page, setPage] = useState(1);
  const listed = chosen === "all" ? rows : rows.filter(({ state }) => state === chosen);
  const shown = listed.slice((page - 1) * PAGE_LENGTH, page * PAGE_LENGTH);

  function choose(state: RowState | "all"): void {
    setChosen(state);
    setPage(1);
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <StateFilter rows={rows} chosen={chosen} onChoose={choose} />
      {shown.length === 0 ? null : (
        <DataTable
          label={label}
          density="compact"
          columns={tableColumns(header, columns)}
          rows={shown}
        />
      )}
      <Pagination
        label={`${label}分页`}
        unit="行"
        page={page}
        total={listed.length}
        totalPages={Math.ceil(listed.length / PAGE_LENGTH)}
        onPageChange={setPage}
      />
    </div>
  );
}

type StateFilterProps = {
  rows: readonly ShownRow[];
  chosen: RowState | "all";
  onChoose: (state: RowState | "all") => void;
};

/** With the number of rows in each state. */
function StateFilter({ rows, chosen, onChoose }: StateFilterProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a layout of its own
    <div
      role="group"
      aria-label="按结果筛选"
      className="-mx-1 flex min-w-0 gap-1.5 overflow-x-auto p-1"
    >
      <CountChip
        label="全部"
        count={rows.length}
        isChosen={chosen === "all"}
        onClick={() => onChoose("all")}
      />
      {ROW_STATES.map((state) => {
        const count = rows.filter((row) => row.state === state).length;
        return count === 0 ? null : (
          <CountChip
            key={state}
            label={ROW_STATE_LABELS[state]}
            mark={<RowStateIcon state={state} />}
            count={count}
            isChosen={chosen === state}
            onClick={() => onChoose(state)}
          />
        );
      })}
    </div>
  );
}

/** Line and result, then the columns of the file. */
function tableColumns(
  header: readonly string[],
  columns: ImportKind["columns"],
): Column<ShownRow>[] {
  return [
    {
      id: "line",
      header: "行",
      isRowHead: true,
      className: "w-14 tabular-nums text-muted-foreground",
      cell: ({ line }) => line,
    },
    {
      id: "state",
      header: "结果",
      className: "min-w-44 max-w-72",
      cell: (row) => <StateCell row={row} columns={columns} />,
    },
    ...fileColumns(columns, header).map(
      (column): Column<ShownRow> => ({
        id: `${column.index}`,
        header: column.header,
        ...(column.field === null ? { headerNote: "不导入" } : {}),
        className: cn(
          "max-w-64",
          column.field === "email" ? "min-w-44" : "min-w-28",
          column.field === null && "text-muted-foreground",
        ),
        cell: (row) => <FileCell row={row} column={column} />,
      }),
    ),
  ];
}

type StateCellProps = { row: ShownRow; columns: ImportKind["columns"] };

/** With all that is said of the row: further columns may be out of sight. */
function StateCell({ row, columns }: StateCellProps) {
  const { state, errors, changes } = row;
  const tone = state === "failed" ? "text-danger-ink" : "text-muted-foreground";
  const changed = columns.filter(({ field }) => changes.some((change) => change.field === field));
  const warning = earlierText(changes, serverNow());

  return (
    <>
      <RowStateMark state={state} />
      {errors.length === 0 ? null : (
        <p className={cn("text-xs [overflow-wrap:anywhere]", tone)}>
          {errorTexts(columns, errors).join("；")}
        </p>
      )}
      {changed.length === 0 ? null : (
        <p className="text-xs text-muted-foreground">
          {changed.map(({ header }) => header).join("、")}
        </p>
      )}
      {warning === null ? null : (
        <p className="flex items-center gap-1 text-xs font-medium text-warning-ink">
          <TriangleAlert className="size-3.5 shrink-0" />
          {warning}
        </p>
      )}
    </>
  );
}

type FileCellProps = { row: ShownRow; column: FileColumn };

/** What the file says; below it what that would overwrite, or has. */
function FileCell({ row, column: { index, field } }: FileCellProps) {
  const text = shownText(row.cells[index] ?? "", field);
  const change = row.changes.find((one) => one.field === field);
  const isWrong = row.state === "failed" && row.errors.some((error) => error.field === field);

  return (
    <>
      {text === "" ? (
        <span className="text-subtle-foreground">{NOTHING}</span>
      ) : (
        <span
          className={cn(
            "line-clamp-2 [overflow-wrap:anywhere]",
            isWrong && "text-danger-ink",
            change !== undefined && "font-medium",
          )}
          title={text}
        >
          {field === "email" ? <BreakableAddress text={text} /> : text}
        </span>
      )}
      {change === undefined ? null : <OldValue text={change.from} field={field} />}
    </>
  );
}

/** Passwords stand in the file, and nobody has to read them here. */
function shownText(cell: string, field: string | null): string {
  return field === "password" && cell !== "" ? "••••••" : cell;
}

type OldValueProps = { text: string; field: string | null };

function OldValue({ text, field }: OldValueProps) {
  if (text === "") return <p className="text-xs text-muted-foreground">原来为空</p>;
  return (
    <p className="text-xs [overflow-wrap:anywhere] text-muted-foreground">
      原：
      <del>{field === "email" ? <BreakableAddress text={text} /> : text}</del>
    </p>
  );
}
