import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { SyncInterval } from "../../../shared/configs.ts";

export const ConfigEntity = defineEntity({
  name: "Config",
  tableName: "configs",
  properties: (p) => ({
    id: p.uuid().primary(),
    name: p.text(),
    publicKey: p.text(),
    /** AES-256-GCM, bound to this table, row and field (platform/secrets.ts). */
    privateKeySealed: p.text().hidden(),
    apiUrl: p.text(),
    defaultRegion: p.text(),
    /** Empty: all projects of the account. */
    projectIds: p.json<string[]>().defaultRaw("'[]'"),
    isDefault: p.boolean().default(false),
    isActive: p.boolean().default(true),
    remark: p.text().nullable(),
    createdAt: p.bigint("number"),
    /** Null: the configuration is not synced by itself. */
    syncIntervalMinutes: p.integer().$type<SyncInterval>().nullable(),
    /** When the interval was chosen, by the database's clock (sync/schedule/schedule.ts). */
    scheduleChosenAt: p.bigint("number").nullable(),
    /** Scheduled runs that failed before do not count any more; by the database's clock. */
    scheduleResumedAt: p.bigint("number").nullable(),
    /** The key or the address was changed, and no scheduled run has begun to try it. */
    isAccessUntried: p.boolean().default(false),
    /** What the provider calls available; negative when the account owes. */
    balanceAvailableFen: p.bigint("number").nullable(),
    balanceAmountFen: p.bigint("number").nullable(),
    /** When the balance was asked for, in Unix seconds; null when none could be read yet. */
    balanceAt: p.bigint("number").nullable(),
    /** Below it the balance is low; null: no alert. */
    balanceAlertFen: p.bigint("number").nullable(),
  }),
  checks: [
    {
      name: "configs_sync_interval",
      expression: "sync_interval_minutes in (15, 60, 360, 1440)",
    },
  ],
  indexes: [
    {
      name: "configs_one_default",
      expression:
        "create unique index configs_one_default on configs (is_default) where is_default",
    },
  ],
});
export type ConfigRow = InferEntity<typeof ConfigEntity>;
