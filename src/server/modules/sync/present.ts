import type { Selectable } from "kysely";
import type { SyncRun } from "../../../shared/sync.ts";
import type { Tables } from "../../platform/database/kysely.ts";

/** A run as every super admin sees it; nobody else sees one. */
export function presentSyncRun({
  requestedBy,
  requestedByName,
  queuedAt: _queuedAt,
  ...run
}: Selectable<Tables["sync_runs"]>): SyncRun {
  return {
    ...run,
    requestedBy: requestedBy === null ? null : { id: requestedBy, name: requestedByName ?? "" },
  };
}
