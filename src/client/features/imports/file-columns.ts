import { IMPORT_ERROR_HEADER } from "@shared/imports.ts";
import type { ImportKind } from "./import-kind";

/** A column of the file as the preview shows it. */
export interface FileColumn {
  /** Where its cells stand in a row of the file. */
  readonly index: number;
  readonly header: string;
  /** As the API calls it; null when an import ignores the column. */
  readonly field: string | null;
}

/**
 * All but the column of errors: a file of bad rows that was corrected would show what is no longer
 * wrong with them.
 */
export function fileColumns(
  columns: ImportKind["columns"],
  header: readonly string[],
): FileColumn[] {
  const fieldOf = new Map(columns.map((column) => [column.header, column.field]));
  const all = header.map((name, index) => ({
    index,
    header: name,
    field: fieldOf.get(name) ?? null,
  }));
  return all.filter((column) => column.header !== IMPORT_ERROR_HEADER);
}
