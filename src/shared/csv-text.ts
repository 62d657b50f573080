import { stringify } from "csv-stringify/sync";
import { defuseFormula } from "./spreadsheet.ts";

/** Text is defused, so that no spreadsheet takes it for a formula; a number stays as it is. */
export type CsvCell = string | number | null;

/** Without it spreadsheets take a file for text in the legacy encoding of their system. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** Lines of a CSV file, as RFC 4180 says, with CR LF. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return stringify([...rows], {
    record_delimiter: "\r\n",
    // With a delimiter that is given, a single CR or LF in a cell would not be quoted.
    quote_record_delimiter: true,
    cast: { string: defuseFormula },
  });
}
