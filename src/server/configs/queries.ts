import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type InferResult, sql } from "kysely";
import type { Config } from "../../shared/configs.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { kyselyOf } from "../database/kysely.ts";
import { presentSyncRun, type SyncRunRecord } from "../sync/present.ts";

export function configNotFound(): AppError {
  return new AppError("NOT_FOUND", "配置不存在或已被删除");
}

/** The default one first, then the oldest. */
export async function listConfigs({ em }: Pick<Deps, "em">): Promise<Config[]> {
  const configs = await selectConfigs(em).orderBy("c.isDefault", "desc").orderBy("c.id").execute();
  return configs.map(presentConfig);
}

export async function getConfig(em: SqlEntityManager, id: string): Promise<Config> {
  const config = await selectConfigs(em).where("c.id", "=", id).executeTakeFirst();
  if (config === undefined) throw configNotFound();
  return presentConfig(config);
}

/** The key shows its first and last four characters; the mask does not show the length. */
function presentConfig(config: InferResult<ReturnType<typeof selectConfigs>>[number]): Config {
  const { publicKey, lastSync } = config;
  const masked = publicKey.length <= 8 ? "****" : `${publicKey.slice(0, 4)}****${publicKey.slice(-4)}`;
  return { ...config, publicKey: masked, lastSync: lastSync && presentSyncRun(lastSync) };
}

function selectConfigs(em: SqlEntityManager) {
  return kyselyOf(em)
    .selectFrom("configs as c")
    .select(["c.id", "c.name", "c.publicKey", "c.apiUrl", "c.defaultRegion", "c.projectIds"])
    .select(["c.isDefault", "c.isActive", "c.remark", "c.createdAt"])
    .select((eb) =>
      eb
        .selectFrom("sync_runs as run")
        .select(sql<SyncRunRecord>`to_jsonb(run)`.as("run"))
        .whereRef("run.configId", "=", "c.id")
        .orderBy("run.id", "desc")
        .limit(1)
        .as("lastSync"),
    );
}
