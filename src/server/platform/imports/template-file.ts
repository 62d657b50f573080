import type { ImportColumns } from "../../../shared/imports.ts";
import { type CsvFile, csvFile } from "../csv/csv-file.ts";

/**
 * An empty file of this kind: the header alone. Somebody would forget to delete an example and
 * import it, so the console shows the examples instead.
 */
export function templateFile(
  names: Pick<CsvFile, "name" | "title">,
  { columns }: ImportColumns,
): CsvFile {
  return csvFile({
    ...names,
    columns: columns.map(({ header }) => ({ header, value: () => null })),
  });
}
