import type { ImportColumns } from "./imports.ts";
import type { CsvRow, CsvTable } from "./read-csv.ts";

const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 30;

export interface ImportedRow<Field extends string> {
  readonly line: number;
  /** By the field of its column. A column that the file lacks is empty. */
  readonly cells: ReadonlyMap<Field, string>;
  /** Why the cells cannot be told apart; null when they can. */
  readonly problem: string | null;
}

export type ImportedTable<Field extends string> =
  | { readonly kind: "rows"; readonly rows: readonly ImportedRow<Field>[] }
  | { readonly kind: "refused"; readonly message: string };

/** Finds the columns by their headers, in whatever order they stand. */
export function arrangeColumns<Field extends string>(
  { header, rows }: CsvTable,
  { columns, ignored }: ImportColumns<Field>,
): ImportedTable<Field> {
  const known = columns.map((column) => column.header);
  const required = columns.filter(({ isRequired }) => isRequired).map((column) => column.header);

  const unknown = header.filter((name) => !known.includes(name) && !ignored.includes(name));
  const missing = required.filter((name) => !header.includes(name));
  const repeated = known.filter((name) => header.indexOf(name) !== header.lastIndexOf(name));
  const problems = [
    ...problemOf("不支持的列：", unknown),
    ...problemOf("缺少必填的列：", missing),
    ...problemOf("重复的列：", repeated),
  ];
  if (problems.length > 0) {
    const hint = commaHint(header);
    return refused(`${problems.join("；")}。请使用模板中的列：${known.join("、")}${hint}`);
  }
  if (rows.length === 0) return refused("文件里只有标题行，没有要导入的行");

  const isRagged = (row: CsvRow) => hasOtherLength(row, header.length);
  const [first] = rows;
  if (first !== undefined && rows.every(isRagged)) {
    return refused(`每一行的列数都与标题行不同：第 ${first.line} 行${lengths(first, header)}`);
  }

  return {
    kind: "rows",
    rows: rows.map((row) => ({
      line: row.line,
      cells: cellsByField(row, header, columns),
      problem: isRagged(row) ? `该行${lengths(row, header)}` : null,
    })),
  };
}

function problemOf(label: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = [...new Set(names)].slice(0, MAX_NAMED).map(shortName);
  const rest = names.length > MAX_NAMED ? ` 等 ${names.length} 列` : "";
  return [`${label}${shown.join("、")}${rest}`];
}

function shortName(name: string): string {
  if (name === "") return "（没有标题的列）";
  const characters = [...name];
  if (characters.length <= MAX_NAME_LENGTH) return name;
  return `${characters.slice(0, MAX_NAME_LENGTH).join("")}…`;
}

function refused(message: string) {
  return { kind: "refused", message } as const;
}

/** Empty cells after the last column are those of a spreadsheet. */
function hasOtherLength({ cells }: CsvRow, length: number): boolean {
  return cells.length < length || cells.slice(length).some((cell) => cell !== "");
}

function lengths({ cells }: CsvRow, header: readonly string[]): string {
  const hint = cells.length < header.length ? commaHint(cells) : "";
  return `有 ${cells.length} 列，标题行有 ${header.length} 列${hint}`;
}

/** Commas of a Chinese keyboard look like those that separate cells. */
function commaHint(cells: readonly string[]): string {
  return cells.some((cell) => cell.includes("，")) ? "；请使用半角逗号分隔，不是“，”" : "";
}

function cellsByField<Field extends string>(
  { cells }: CsvRow,
  header: readonly string[],
  columns: ImportColumns<Field>["columns"],
): ReadonlyMap<Field, string> {
  return new Map(
    columns.map(({ field, header: name }) => [field, cells[header.indexOf(name)] ?? ""]),
  );
}
