import { IMPORT_ERROR_HEADER, type ImportResult } from "@shared/imports.ts";
import type { CsvTable } from "@shared/read-csv.ts";
import { errorTexts } from "./error-texts";
import type { ImportKind } from "./import-kind";

/**
 * The rows that are not imported, with their cells and what is wrong with them: corrected, the file
 * can be imported as it is, since the column of the errors is ignored.
 */
export function badRows(
  columns: ImportKind["columns"],
  table: CsvTable,
  result: ImportResult,
): string[][] {
  const { header, rows } = table;
  const bad = result.rows.filter(({ ok }) => !ok);
  const cellsOfLine = new Map(rows.map(({ line, cells }) => [line, cells]));
  // A file of bad rows that is imported again has the column of the errors already.
  const kept = [...header.keys()].filter((index) => header[index] !== IMPORT_ERROR_HEADER);

  return [
    [...kept.map((index) => header[index] ?? ""), IMPORT_ERROR_HEADER],
    ...bad.map((row) => {
      const cells = cellsOfLine.get(row.line) ?? [];
      return [
        ...kept.map((index) => cells[index] ?? ""),
        errorTexts(columns, row.errors).join("；"),
      ];
    }),
  ];
}
