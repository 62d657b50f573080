import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { connectProvider } from "../configs/connect-provider.ts";
import { ConfigEntity } from "../configs/entity.ts";
import { AppError } from "../core/errors.ts";
import { hostNotFound } from "../hosts/queries.ts";
import type { StoredHost } from "./look-at-place.ts";
import { type RefreshDeps, type Refreshed, refreshGroup } from "./refresh-group.ts";
import { isConfigMissing } from "./write-hosts.ts";

/**
 * All calls together, in ms: the answer must come before the console gives up after 30 s. Whoever waits would rather hear soon that the
 * provider throttles.
 */
const TOTAL_TIMEOUT = 25_000;
const CALL_LIMITS = { attemptTimeoutMs: 5_000, maxRetries: 1, retryBaseMs: 300, maxPauseMs: 10_000 } as const;

/** Asks the provider for these hosts by id, through the configuration that each belongs to. One outcome for each. */
export async function refreshHosts(deps: RefreshDeps, ids: readonly string[]): Promise<ReadonlyMap<string, Refreshed>> {
  const stored = await readHosts(deps.em, ids);
  const signal = AbortSignal.timeout(TOTAL_TIMEOUT);
  const groups = [...Map.groupBy(stored, ({ configId }) => configId)];
  const refreshed = await Promise.all(groups.map(([configId, hosts]) => refreshThrough(deps, configId, hosts, signal)));
  const outcomes = new Map(refreshed.flatMap((group) => [...group]));
  return new Map(ids.map((id) => [id, outcomes.get(id) ?? hostNotFound()]));
}

/** `configId` is null when the configuration of these hosts was deleted. */
async function refreshThrough(
  deps: RefreshDeps,
  configId: string | null,
  hosts: readonly StoredHost[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Refreshed>> {
  const config = configId === null ? null : await deps.em.fork().findOne(ConfigEntity, { id: configId });
  if (config === null) return sameForAll(hosts, CONFIG_DELETED);
  if (!config.isActive) return sameForAll(hosts, "该主机所属的配置已停用，请先启用配置再同步");
  const client = connectProvider(deps, config, { signal, limits: CALL_LIMITS });
  try {
    return await refreshGroup(deps, { configId: config.id, projectIds: config.projectIds, client, signal }, hosts);
  } catch (error) {
    if (isConfigMissing(error)) return sameForAll(hosts, CONFIG_DELETED);
    throw error;
  }
}

const CONFIG_DELETED = "该主机所属的配置已删除，无法单独同步；请用其他配置做一次完整同步";

function sameForAll(hosts: readonly StoredHost[], sentence: string): ReadonlyMap<string, Refreshed> {
  return new Map(hosts.map(({ id }) => [id, new AppError("STATE_CONFLICT", sentence)]));
}

async function readHosts(em: EntityManager, ids: readonly string[]): Promise<StoredHost[]> {
  const { rows } = await sql<{
    id: string;
    ucloud_id: string;
    version: string;
    config_id: string | null;
    project_id: string;
    region: string;
    is_gone: boolean;
  }>`
    select id, ucloud_id, xmin::text as version, config_id, project_id, region, gone_at is not null as is_gone
    from hosts where id = any(${[...ids]}::uuid[])
  `.execute(em.getKysely());
  return rows.map((row) => ({
    id: row.id,
    ucloudId: row.ucloud_id,
    version: row.version,
    configId: row.config_id,
    projectId: row.project_id,
    region: row.region,
    isGone: row.is_gone,
  }));
}
