import { defineEntity } from "@mikro-orm/core";
import type { SyncRunError, SyncStatus, SyncTrigger } from "../../shared/sync.ts";
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
