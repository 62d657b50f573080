import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Expression, SqlBool } from "kysely";
import { connectProvider, type ProviderDeps } from "../../configs/connect-provider.ts";
import { ConfigEntity, type ConfigRow } from "../../configs/entity.ts";
import type { Deps } from "../../core/deps.ts";
import { AppError } from "../../core/errors.ts";
import { kyselyOf } from "../../database/kysely.ts";
import type { ProviderClient } from "../../provider/client.ts";
import { ProviderFailure } from "../../provider/failure.ts";

export type RefreshDeps = ProviderDeps & Pick<Deps, "em" | "bus">;

/** All calls together: the console waits 30 s. */
const TOTAL_TIMEOUT_MS = 25_000;
const CALL_LIMITS = { attemptTimeoutMs: 8_000, maxRetries: 2, retryBaseMs: 300, maxPauseMs: 5_000 } as const;

export interface Connection {
  readonly configId: string;
  readonly client: ProviderClient;
  readonly signal: AbortSignal;
}

export type StoredHost = Awaited<ReturnType<typeof findStoredHosts>>[number];

/** `where` in SQL column names. */
export async function findStoredHosts(em: SqlEntityManager, where: Expression<SqlBool>) {
  return await kyselyOf(em)
    .selectFrom("hosts")
    .select(["id", "ucloudId", "region", "projectId", "config as configId", "heldSince", "dismissedAt", "goneAt"])
    .where(where)
    .orderBy("ucloudId")
    .execute();
}

/** Acts on hosts through their configurations. An AppError is the outcome of all hosts of its configuration. */
export async function throughConfigs<Outcome>(
  deps: RefreshDeps,
  hosts: readonly StoredHost[],
  act: (connection: Connection, hosts: readonly StoredHost[]) => Promise<ReadonlyMap<string, Outcome>>,
): Promise<ReadonlyMap<string, Outcome | AppError>> {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(new ProviderFailure("timeout")), TOTAL_TIMEOUT_MS);
  using _stop = { [Symbol.dispose]: () => clearTimeout(timer) };
  const { signal } = time;
  const outcomes = new Map<string, Outcome | AppError>();
  const actThrough = async ([id, owned]: [string | null, readonly StoredHost[]]) => {
    try {
      const config = await findActiveConfig(deps, id);
      const client = connectProvider(deps, config, { limits: CALL_LIMITS });
      for (const [id, outcome] of await act({ configId: config.id, client, signal }, owned)) outcomes.set(id, outcome);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const { id } of owned) outcomes.set(id, error);
    }
  };
  await Promise.all([...Map.groupBy(hosts, ({ configId }) => configId)].map(actThrough));
  return outcomes;
}

async function findActiveConfig({ em }: Pick<Deps, "em">, id: string | null): Promise<ConfigRow> {
  const config = id === null ? null : await em.fork().findOne(ConfigEntity, { id });
  if (config === null) throw configDeleted();
  if (!config.isActive) throw new AppError("STATE_CONFLICT", "该主机所属的配置已停用，请先启用配置再同步");
  return config;
}

export function configDeleted(): AppError {
  return new AppError("STATE_CONFLICT", "该主机所属的配置已删除，无法单独同步；请用其他配置做一次完整同步");
}
