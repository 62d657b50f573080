import type { ExportRenewalsInput, Renewal } from "../../../shared/renewals.ts";
import { type CsvFile, csvFile } from "../../platform/csv/csv-file.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { recordExport } from "../audit-records/record-export.ts";
import { viewerOf } from "../hosts/access.ts";
import { findScope } from "./access.ts";
import type { RenewalsDeps } from "./deps.ts";
import { exportColumns } from "./export-columns.ts";
import { resolveFilter } from "./filters.ts";
import { findNext, findWholeList } from "./page.ts";
import { presentRenewal } from "./present.ts";
import { assertOwnFilters, readRenewals } from "./queries.ts";

/** Requests that are read at once. */
const PORTION = 200;

/** The whole list, as the caller may see it, with the columns of its role. */
export function exportRenewals(
  deps: RenewalsDeps,
  caller: Caller,
  input: ExportRenewalsInput,
): CsvFile {
  assertOwnFilters(caller, input);

  return csvFile({
    name: "renewals",
    title: "续费申请",
    columns: exportColumns(viewerOf(deps, caller)),
    portions: readPortions(deps, caller, input),
  });
}

/**
 * Whose requests are read, and what is shown of them, is decided for each portion at its moment: a
 * client whom an admin has lost meanwhile is left out.
 */
async function* readPortions(
  deps: RenewalsDeps,
  caller: Caller,
  input: ExportRenewalsInput,
): AsyncGenerator<readonly Renewal[], void, undefined> {
  const { sort: _sort, order: _order, ...filter } = input;
  await recordExport(deps, { action: "renewals.export", filter });

  for await (const ids of findIds(deps, caller, input)) {
    const viewer = viewerOf(deps, caller);
    const clientIds = await findScope(deps.em, viewer);
    const rows = await readRenewals(deps.em, viewer, { ids, clientIds });
    yield rows.map((row) => presentRenewal(row, viewer));
  }
}

/**
 * The ids of the list, in its order and in portions. Requests are never deleted, and there are more
 * of them every year, so their ids are not all held in memory: the next portion begins after the
 * last id of the one before, which is a place that never moves.
 *
 * In two cases there is no such place to go on from, and all ids are found at once as for an export
 * of hosts. An end moves when a request is completed, and the request would be skipped or repeated.
 * And what a search finds may be few among a million, which every portion would look through again.
 */
async function* findIds(
  { em, clock }: RenewalsDeps,
  caller: Caller,
  input: ExportRenewalsInput,
): AsyncGenerator<readonly string[], void, undefined> {
  const viewer = viewerOf({ clock }, caller);
  const filter = await resolveFilter(em, viewer, input);
  const list = { ...input, viewer, filter };

  if (input.sort === "expireTime" || filter.search !== null) {
    const ids = await findWholeList(em, list);
    for (let start = 0; start < ids.length; start += PORTION) {
      yield ids.slice(start, start + PORTION);
    }
    return;
  }

  let ids = await findNext(em, list, { after: null, limit: PORTION });
  while (ids.length > 0) {
    yield ids;
    ids = await findNext(em, list, { after: ids.at(-1) ?? null, limit: PORTION });
  }
}
