import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { SyncRun, SyncRunError, SyncStatus, SyncTrigger } from "../../shared/sync.ts";
import { ConfigEntity } from "../configs/entity.ts";

/** One run of one configuration. A partial unique index allows one live run each. */
export const SyncRunEntity = defineEntity({
  name: "SyncRun",
  tableName: "sync_runs",
  properties: (p) => ({
    id: p.uuid().primary(),
    /** Without a foreign key: history outlives the configuration. */
    configId: p.uuid(),
    configName: p.text(),
    trigger: p.text().$type<SyncTrigger>(),
    status: p.text().$type<SyncStatus>(),
    requestedBy: p.uuid().nullable(),
    requestedByName: p.text().nullable(),
    startedAt: p.bigint("number"),
    finishedAt: p.bigint("number").nullable(),
    regionsTotal: p.integer(),
    regionsDone: p.integer(),
    hostsTotal: p.integer(),
    hostsSeen: p.integer(),
    created: p.integer(),
    updated: p.integer(),
    unchanged: p.integer(),
    gone: p.integer(),
    rejected: p.integer(),
    errors: p.json<SyncRunError[]>(),
  }),
});

export const SyncPartitionEntity = defineEntity({
  name: "SyncPartition",
  tableName: "sync_partitions",
  properties: (p) => ({
    config: () => p.manyToOne(ConfigEntity).primary(),
    projectId: p.text().primary(),
    region: p.text().primary(),
    readAt: p.bigint("number"),
  }),
});

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
