import {
  IMPORT_ACTION_LABELS,
  type ImportChange,
  type ImportResult,
  type ImportRow,
  type ImportSummary,
} from "@shared/imports.ts";
import type { CsvTable } from "@shared/read-csv.ts";
import { formatNumber } from "@/lib/format-number";

/** What happens to a row, or why nothing does. */
export const ROW_STATES = ["create", "update", "skip", "failed"] as const;
export type RowState = (typeof ROW_STATES)[number];

export const ROW_STATE_LABELS: Readonly<Record<RowState, string>> = {
  ...IMPORT_ACTION_LABELS,
  failed: "有误",
};

/** A row of the file beside what the server says of it. */
export interface ShownRow {
  readonly id: string;
  readonly line: number;
  readonly state: RowState;
  /** In the order of the header. */
  readonly cells: readonly string[];
  readonly errors: ImportRow["errors"];
  /** What an update overwrites. */
  readonly changes: readonly ImportChange[];
}

export function shownRows(table: CsvTable, result: ImportResult): ShownRow[] {
  const cellsOfLine = new Map(table.rows.map(({ line, cells }) => [line, cells]));

  return result.rows.map((row) => ({
    id: `${row.line}`,
    line: row.line,
    state: stateOf(row),
    cells: cellsOfLine.get(row.line) ?? [],
    errors: row.errors,
    changes: row.changes ?? [],
  }));
}

function stateOf({ action, ok }: ImportRow): RowState {
  return ok ? action : "failed";
}

/** How many rows an import would write. */
export function writtenCount({ create, update }: ImportSummary): number {
  return create + update;
}

/** `将新增 12 行、修改 3 行；5 行不变，2 行有误，不导入。` */
export function checkedText({ create, update, skip, failed }: ImportSummary): string {
  return `将新增 ${formatNumber(create)} 行、修改 ${formatNumber(update)} 行；${restText(skip, failed)}`;
}

export function writtenText({ create, update, skip, failed }: ImportSummary): string {
  return `已新增 ${formatNumber(create)} 行、修改 ${formatNumber(update)} 行；${restText(skip, failed)}`;
}

function restText(skip: number, failed: number): string {
  const unchanged = `${formatNumber(skip)} 行不变`;
  return failed === 0 ? `${unchanged}。` : `${unchanged}，${formatNumber(failed)} 行有误，不导入。`;
}
