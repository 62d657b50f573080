import type { ExportUsersInput, ListedUser } from "../../../shared/users.ts";
import { type CsvFile, csvFile } from "../../platform/csv/csv-file.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { type RecordExportDeps, recordExport } from "../audit-records/record-export.ts";
import type { ListUsersDeps } from "./deps.ts";
import { exportColumns } from "./export-columns.ts";
import { filterUsers } from "./filters.ts";
import { findWholeList } from "./page.ts";
import { assertOwnFilters, readListed } from "./queries.ts";

/** Users that are read at once. */
const PORTION = 200;

type ExportDeps = ListUsersDeps & RecordExportDeps;

/** The whole list, as the caller may see it, with the columns of its role. */
export function exportUsers(deps: ExportDeps, caller: Caller, input: ExportUsersInput): CsvFile {
  assertOwnFilters(caller, input);

  return csvFile({
    name: "users",
    title: "用户",
    columns: exportColumns(caller.role),
    portions: readPortions(deps, caller, input),
  });
}

/**
 * All ids first, and then the rows by their ids, as the export of hosts does and for its reasons: a
 * name, a number of hosts and a next end change while the file is sent.
 */
async function* readPortions(
  deps: ExportDeps,
  caller: Caller,
  input: ExportUsersInput,
): AsyncGenerator<readonly ListedUser[], void, undefined> {
  const { em, clock } = deps;
  const { sort, order, ...filter } = input;
  const users = filterUsers(kyselyOf(em), caller, filter);
  const ids = await findWholeList(em, users, { sort, order, now: clock.now() });
  await recordExport(deps, { action: "users.export", filter, rows: ids.length });

  for (let start = 0; start < ids.length; start += PORTION) {
    const portion = ids.slice(start, start + PORTION);
    yield await readListed(em, caller, { ids: portion, now: clock.now() });
  }
}
