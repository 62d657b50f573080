import type { InferEntity } from "@mikro-orm/core";
import type { SyncRun } from "../../shared/sync.ts";
import type { SyncRunEntity } from "./entity.ts";

export const SYNC_RUN_COUNTERS = [
  "regionsTotal",
  "regionsDone",
  "hostsTotal",
  "hostsSeen",
  "created",
  "updated",
  "unchanged",
  "gone",
  "rejected",
] as const;

const RUN = ["id", "configId", "configName", "trigger", "status", "requestedBy", "requestedByName"] as const;
export const SYNC_RUN_COLUMNS = [...RUN, "startedAt", "finishedAt", ...SYNC_RUN_COUNTERS, "errors"] as const;

type SyncRunRow = Pick<InferEntity<typeof SyncRunEntity>, (typeof SYNC_RUN_COLUMNS)[number]>;

export function presentSyncRun({ requestedBy, requestedByName, finishedAt, ...run }: SyncRunRow): SyncRun {
  const requester = requestedBy == null ? null : { id: requestedBy, name: requestedByName ?? "" };
  return { ...run, finishedAt: finishedAt ?? null, requestedBy: requester };
}
