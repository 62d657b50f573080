import { defineEntity } from "@mikro-orm/core";
import type { SyncRunError, SyncStatus, SyncTrigger } from "../../shared/sync.ts";
import { ConfigEntity } from "../configs/entity.ts";

/** One traversal of one configuration. The row is the truth about who may write: lease and fencing number live here. */
export const SyncRunEntity = defineEntity({
  name: "SyncRun",
  tableName: "sync_runs",
  properties: (p) => ({
    id: p.uuid().primary(),
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
    cancelRequested: p.boolean(),
    /** Rises with every owner; a write that names an older number is refused. */
    fence: p.integer(),
    leaseOwner: p.text().nullable(),
    /** By the database's clock, so that replicas need not agree on the time. */
    leaseUntil: p.datetime().nullable(),
  }),
});

/** When each (configuration, project, region) was last read completely. */
export const SyncPartitionEntity = defineEntity({
  name: "SyncPartition",
  tableName: "sync_partitions",
  properties: (p) => ({
    config: () => p.manyToOne(ConfigEntity).primary(),
    projectId: p.text().primary(),
    region: p.text().primary(),
    readAt: p.bigint("number"),
    /** Since when the provider answers "no hosts" here although there were some; null when it does not. */
    emptySince: p.bigint("number").nullable(),
  }),
});
