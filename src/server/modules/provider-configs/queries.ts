import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Config } from "../../../shared/configs.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import { presentSyncRun } from "../sync/queries.ts";
import { ConfigEntity, type ConfigRow } from "./entity.ts";

export function configNotFound(): AppError {
  return new AppError("NOT_FOUND", "配置不存在或已被删除");
}

export async function listConfigs({ em }: Pick<Deps, "em">): Promise<Config[]> {
  return await presentConfigs(
    em,
    await em.findAll(ConfigEntity, { orderBy: { isDefault: "desc", id: "asc" } }),
  );
}

export async function getConfig(em: SqlEntityManager, id: string): Promise<Config> {
  const [config] = await presentConfigs(em, await em.find(ConfigEntity, { id }));
  if (config === undefined) throw configNotFound();
  return config;
}

/** Until the commit no run starts and nobody changes it; a live run may insert hosts that refer to it. Throws NOT_FOUND. */
export async function lockConfig(em: SqlEntityManager, id: string) {
  const configs = kyselyOf(em)
    .selectFrom("configs")
    .select(["name", "isActive", "isDefault"])
    .where("id", "=", id);
  const config = await configs.forNoKeyUpdate().executeTakeFirst();
  if (config === undefined) throw configNotFound();
  return config;
}

async function presentConfigs(
  em: SqlEntityManager,
  configs: readonly ConfigRow[],
): Promise<Config[]> {
  const ids = configs.map(({ id }) => id);
  if (ids.length === 0) return [];
  // One row of the index for each configuration, however many runs there are.
  const runs = await kyselyOf(em)
    .selectFrom("configs as c")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("sync_runs as r")
          .selectAll("r")
          .whereRef("r.configId", "=", "c.id")
          .orderBy("r.id", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .where("c.id", "=", anyOf(ids))
    .selectAll("last")
    .execute();
  const lastSyncs = new Map(runs.map((run) => [run.configId, presentSyncRun(run)]));
  const hostCounts = await countPresentHosts(em, ids);
  return configs.map(({ id, name, publicKey, apiUrl, defaultRegion, projectIds, ...config }) => {
    const { isDefault, isActive, remark = null, createdAt } = config;
    const fields = { id, name, publicKey: maskKey(publicKey), apiUrl, defaultRegion, projectIds };
    return {
      ...fields,
      isDefault,
      isActive,
      remark,
      createdAt,
      hostCount: hostCounts.get(id) ?? 0,
      lastSync: lastSyncs.get(id) ?? null,
    };
  });
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

function maskKey(key: string): string {
  return key.length <= 8 ? "****" : `${key.slice(0, 4)}****${key.slice(-4)}`;
}
