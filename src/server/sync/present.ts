import type { SyncRun, SyncRunError, SyncStatus, SyncTrigger } from "../../shared/sync.ts";

/** A row of `sync_runs` as SQL gives it; more columns may be there. */
export interface SyncRunRecord {
  readonly id: string;
  readonly config_id: string;
  readonly config_name: string;
  readonly trigger: SyncTrigger;
  readonly status: SyncStatus;
  readonly requested_by: string | null;
  readonly requested_by_name: string | null;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly regions_total: number;
  readonly regions_done: number;
  readonly hosts_total: number;
  readonly hosts_seen: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly gone: number;
  readonly rejected: number;
  readonly errors: SyncRunError[];
}

export function presentSyncRun(row: SyncRunRecord): SyncRun {
  const { requested_by: id, requested_by_name: name } = row;
  return {
    id: row.id,
    configId: row.config_id,
    configName: row.config_name,
    trigger: row.trigger,
    status: row.status,
    requestedBy: id === null ? null : { id, name: name ?? "" },
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    regionsTotal: row.regions_total,
    regionsDone: row.regions_done,
    hostsTotal: row.hosts_total,
    hostsSeen: row.hosts_seen,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    gone: row.gone,
    rejected: row.rejected,
    errors: row.errors,
  };
}
