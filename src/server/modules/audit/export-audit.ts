import type { AuditEntry, ExportAuditInput } from "../../../shared/audit.ts";
import { type CsvFile, csvFile } from "../../platform/csv/csv-file.ts";
import { type RecordExportDeps, recordExport } from "../audit-records/record-export.ts";
import type { AuditLogDeps } from "./deps.ts";
import { EXPORT_COLUMNS } from "./export-columns.ts";
import { filterEntries } from "./filters.ts";
import { findNext } from "./page.ts";
import { presentEntry } from "./present.ts";
import { readEntries } from "./queries.ts";

/** Entries that are read at once. */
const PORTION = 500;

type ExportDeps = AuditLogDeps & RecordExportDeps;

/** Every entry that the filters let through, newest first. */
export function exportAudit(deps: ExportDeps, input: ExportAuditInput): CsvFile {
  return csvFile({
    name: "audit",
    title: "审计日志",
    columns: EXPORT_COLUMNS,
    portions: readPortions(deps, input),
  });
}

/**
 * A portion begins after the last entry of the one before. An entry never changes its place, and
 * new ones come before the first, so none is skipped or repeated, however long the log is.
 *
 * The filters have indexes, the search may have none (`search.ts`). A list then looks at the newest
 * entries only, but a file that silently lacks the older ones would pass for the whole. So the
 * other filters say which entries a portion has, and the search is asked of these alone: the whole
 * log is looked through, and no statement takes long. A portion in which nothing is found is one,
 * too: the file begins with the first, and the session is asked for again after each.
 */
async function* readPortions(
  deps: ExportDeps,
  input: ExportAuditInput,
): AsyncGenerator<readonly AuditEntry[], void, undefined> {
  await recordExport(deps, { action: "audit.export", filter: input });

  const { search, ...filter } = input;
  const entries = filterEntries(deps.em, filter);

  let portion = await findNext(entries, { after: null, limit: PORTION });
  while (portion.length > 0) {
    const ids = portion.map(({ id }) => id);
    const rows = await readEntries(deps.em, ids, { search });
    yield rows.map(presentEntry);

    portion = await findNext(entries, { after: portion.at(-1) ?? null, limit: PORTION });
  }
}
