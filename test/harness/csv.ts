import { parse } from "csv-parse/sync";
import { z } from "zod";

const Records = z.array(z.record(z.string(), z.string()));

/** The rows of a file that was exported, each with its cells by their headers. */
export function readCsv(text: string): Record<string, string>[] {
  return Records.parse(parse(text, { columns: true, bom: true }));
}
