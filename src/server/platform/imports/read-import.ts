import { arrangeColumns, type ImportedRow } from "../../../shared/import-columns.ts";
import type { ImportColumns } from "../../../shared/imports.ts";
import { readCsv } from "../../../shared/read-csv.ts";
import { invalidField } from "../errors.ts";

/** The rows of a file. Throws INVALID_INPUT on `file` when it cannot be read as one of its kind. */
export async function readImport<Field extends string>(
  file: Blob,
  columns: ImportColumns<Field>,
): Promise<readonly ImportedRow<Field>[]> {
  const reading = await readCsv(file);
  if (reading.kind === "refused") throw invalidField("file", reading.message);

  const table = arrangeColumns(reading, columns);
  if (table.kind === "refused") throw invalidField("file", table.message);
  return table.rows;
}
