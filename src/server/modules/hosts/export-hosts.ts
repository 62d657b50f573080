import type { ExportHostsInput } from "../../../shared/hosts.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { type CsvFile, csvFile } from "../../platform/csv/csv-file.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { type RecordExportDeps, recordExport } from "../audit-records/record-export.ts";
import { viewerOf } from "./access.ts";
import type { HostsDeps } from "./deps.ts";
import { type ExportedHost, exportColumns } from "./export-columns.ts";
import { filterHosts, findsFew } from "./filters.ts";
import { type HostOrigin, readOrigins } from "./host-origins.ts";
import { findWholeList } from "./page.ts";
import { assertFilters, toHost } from "./queries.ts";
import { readHosts } from "./rows.ts";

const NO_ORIGINS: ReadonlyMap<string, HostOrigin> = new Map();
const UNKNOWN: HostOrigin = { account: null, projectId: null };

/** Hosts that are read at once; see `docs/performance.md`. */
const PORTION = 200;

type ExportDeps = HostsDeps & RecordExportDeps;

/** The whole list, as the caller may see it, with the columns of its role. */
export function exportHosts(deps: ExportDeps, caller: Caller, input: ExportHostsInput): CsvFile {
  assertFilters(caller, input);

  return csvFile({
    name: "hosts",
    title: "主机",
    columns: exportColumns(caller.role),
    portions: readPortions(deps, caller, input),
  });
}

/**
 * The ids of the whole list are found first, in one statement and in its order, and then the rows
 * are read by their ids, a portion at a time.
 *
 * While a file is sent, which takes as long as its caller wants, hosts are renamed, assigned and
 * synced. Pages that begin after the last row (keyset) would skip and repeat hosts then, since what
 * the list is sorted by changes. Offsets would, too, and one long transaction would keep the
 * clean-up of the database from its work. The ids are a hundred bytes each, so those of a hundred
 * thousand hosts fit in memory, and decide once and for all which hosts the file has, each once.
 *
 * The rows are those of the moment when they are read, each portion by a statement of its own with
 * the scope that the caller has then. So a host that the caller has lost meanwhile is left out, and
 * one that was added is not in the file.
 */
async function* readPortions(
  deps: ExportDeps,
  caller: Caller,
  input: ExportHostsInput,
): AsyncGenerator<readonly ExportedHost[], void, undefined> {
  const ids = await findIds(deps, caller, input);
  const { sort: _sort, order: _order, ...filter } = input;
  await recordExport(deps, { action: "hosts.export", filter, rows: ids.length });

  for (let start = 0; start < ids.length; start += PORTION) {
    yield await readPortion(deps, caller, ids.slice(start, start + PORTION));
  }
}

async function findIds(
  { em, clock }: ExportDeps,
  caller: Caller,
  { sort, order, ...filter }: ExportHostsInput,
): Promise<readonly string[]> {
  const viewer = viewerOf({ clock }, caller);
  return await findWholeList(em, {
    sort,
    order,
    viewer,
    userId: filter.userId,
    hosts: filterHosts(kyselyOf(em), viewer, filter),
    isReadFirst: findsFew(viewer, filter),
  });
}

async function readPortion(
  { em, clock }: ExportDeps,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly ExportedHost[]> {
  const viewer = viewerOf({ clock }, caller);
  const rows = await readHosts(em, viewer, ids);
  const origins = isSuperAdmin(viewer.role) ? await readOrigins(em, ids) : NO_ORIGINS;

  return rows.map((row) => ({ ...toHost(row, viewer), ...(origins.get(row.id) ?? UNKNOWN) }));
}
