import { defineEntity } from "@mikro-orm/core";
import type { SyncRunError, SyncStatus, SyncTrigger } from "../../../shared/sync.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";

/** One run of one configuration. A partial unique index allows one live run of each. */
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
    /** When it was requested, by the database's clock. */
    queuedAt: p.bigint("number").defaultRaw("(EXTRACT(epoch FROM now()))::bigint"),
    /** When it was requested; once it is claimed, when it was claimed. Unix seconds. */
    startedAt: p.bigint("number"),
    finishedAt: p.bigint("number").nullable(),
    regionsTotal: p.integer().default(0),
    regionsDone: p.integer().default(0),
    hostsTotal: p.integer().default(0),
    hostsSeen: p.integer().default(0),
    created: p.integer().default(0),
    updated: p.integer().default(0),
    unchanged: p.integer().default(0),
    gone: p.integer().default(0),
    rejected: p.integer().default(0),
    errors: p.json<SyncRunError[]>().defaultRaw("'[]'"),
  }),
  indexes: [
    {
      name: "sync_runs_live",
      expression: `create unique index sync_runs_live on sync_runs (config_id)
        where status in ('queued', 'running')`,
    },
    { name: "sync_runs_finished", properties: "finishedAt" },
    {
      name: "sync_runs_success",
      expression: `create index sync_runs_success on sync_runs (config_id, id desc)
        include (finished_at) where status = 'succeeded'`,
    },
    {
      name: "sync_runs_last_success",
      expression: `create index sync_runs_last_success on sync_runs (config_id, id desc)
        where status in ('succeeded', 'partial')`,
    },
    {
      name: "sync_runs_queued",
      expression: `create index sync_runs_queued on sync_runs
        (config_id, queued_at desc, id desc)`,
    },
    {
      name: "sync_runs_config",
      expression: "create index sync_runs_config on sync_runs (config_id, id desc)",
    },
  ],
});

/**
 * When a partition was last read completely, in Unix seconds. Its hosts count as synced then, so
 * that a run need not write those that have not changed.
 */
export const SyncPartitionEntity = defineEntity({
  name: "SyncPartition",
  tableName: "sync_partitions",
  properties: (p) => ({
    config: () => p.manyToOne(ConfigEntity).primary().deleteRule("cascade"),
    projectId: p.text().primary(),
    region: p.text().primary(),
    readAt: p.bigint("number"),
  }),
});
