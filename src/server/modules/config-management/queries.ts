import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Config } from "../../../shared/configs.ts";
import type { IdInput } from "../../../shared/ids.ts";
import type { SyncRun } from "../../../shared/sync.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { isStale } from "../hosts/staleness.ts";
import { presentBalance } from "../provider-configs/balance.ts";
import { ConfigEntity, type ConfigRow } from "../provider-configs/entity.ts";
import { configNotFound } from "../provider-configs/queries.ts";
import { presentSyncRun } from "../sync/present.ts";
import { findLastSuccesses, findNewestRuns } from "../sync/schedule/queries.ts";
import { type Schedule, scheduleState } from "../sync/schedule/schedule.ts";
import type { ConfigsDeps } from "./deps.ts";
import { presentConfig } from "./present.ts";

export async function listConfigs(deps: ConfigsDeps): Promise<Config[]> {
  const order = { isDefault: "desc", id: "asc" } as const;
  const configs = await deps.em.findAll(ConfigEntity, { orderBy: order });
  return await presentConfigs(deps, configs);
}

export async function getConfig(deps: ConfigsDeps, { id }: IdInput): Promise<Config> {
  const [config] = await presentConfigs(deps, await deps.em.find(ConfigEntity, { id }));
  if (config === undefined) throw configNotFound();
  return config;
}

async function presentConfigs(
  { em, databaseClock }: ConfigsDeps,
  configs: readonly ConfigRow[],
): Promise<Config[]> {
  const ids = configs.map(({ id }) => id);
  if (ids.length === 0) return [];

  const now = await databaseClock.now(em);
  const lastRuns = await findLastRuns(em, ids);
  const lastSuccesses = await findLastSuccesses(em, ids, now);
  const newestRuns = await findNewestRuns(em, ids, now);
  const hostCounts = await countPresentHosts(em, ids);
  return configs.map((config) => {
    const { id, createdAt } = config;
    const schedule = scheduleOf(config);
    const lastSuccessAt = lastSuccesses.get(id) ?? null;
    const freshness = { intervalMinutes: schedule.intervalMinutes, createdAt, lastSuccessAt };
    return presentConfig(config, {
      hostCount: hostCounts.get(id) ?? 0,
      lastSync: lastRuns.get(id) ?? null,
      lastSuccessAt,
      schedule: scheduleState(schedule, newestRuns.get(id) ?? [], now),
      balance: presentBalance(config),
      isStale: isStale(freshness, now),
    });
  });
}

function scheduleOf(config: ConfigRow): Schedule {
  return {
    configId: config.id,
    intervalMinutes: config.syncIntervalMinutes ?? null,
    isActive: config.isActive,
    chosenAt: config.scheduleChosenAt ?? null,
    resumedAt: config.scheduleResumedAt ?? null,
    isAccessUntried: config.isAccessUntried,
  };
}

/** By configuration. One row of the index is read for each, however many runs there are. */
async function findLastRuns(
  em: SqlEntityManager,
  configIds: readonly string[],
): Promise<ReadonlyMap<string, SyncRun>> {
  const runs = await kyselyOf(em)
    .selectFrom("configs as c")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("sync_runs as r")
          .selectAll("r")
          // A range, for the reason that findLastSuccesses gives.
          .whereRef("r.configId", ">=", "c.id")
          .whereRef("r.configId", "<=", "c.id")
          .orderBy("r.configId")
          .orderBy("r.id", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .where("c.id", "=", anyOf(configIds))
    .selectAll("last")
    .execute();
  return new Map(runs.map((run) => [run.configId, presentSyncRun(run)]));
}

/** By configuration; one without hosts is not in it. */
async function countPresentHosts(
  em: SqlEntityManager,
  configIds: readonly string[],
): Promise<ReadonlyMap<string | null, number>> {
  const counts = await kyselyOf(em)
    .selectFrom("hosts")
    .select((eb) => ["config", eb.fn.countAll<number>().as("hosts")])
    .where("config", "=", anyOf(configIds))
    .where("goneAt", "is", null)
    .groupBy("config")
    .execute();
  return new Map(counts.map(({ config, hosts }) => [config, hosts]));
}
