import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { ConfigRow } from "../../configs/entity.ts";
import { kyselyOf } from "../../database/kysely.ts";
import type { ProviderClient } from "../../provider/client.ts";
import { nullIfForbidden, ProviderFailure } from "../../provider/failure.ts";
import { listProjects, listRegions, type Partition, partitionKey } from "../../provider/uhost-api.ts";
import { PROJECTS_REFUSED, REGIONS_REFUSED, unreadableRows } from "./run-errors.ts";
import type { RunProgress, RunRef } from "./run-writer.ts";

/** More cannot be read within the time of a run. */
const MAX_PARTITIONS = 50_000;

interface Discovery {
  readonly client: ProviderClient;
  readonly config: Pick<ConfigRow, "id" | "defaultRegion" | "projectIds">;
  readonly progress: RunProgress;
  readonly signal: AbortSignal;
}

/** Every region of every project, the default region first, then others with present hosts. Throws ProviderFailure. */
export async function discoverPartitions(em: SqlEntityManager, discovery: Discovery): Promise<Partition[]> {
  const [regions, projectIds, known] = await Promise.all([
    findRegions(discovery),
    findProjects(discovery),
    findKnownPartitions(em, discovery.config.id),
  ]);
  if (regions.length * projectIds.length > MAX_PARTITIONS) {
    const message = `共有 ${regions.length} 个地域、${projectIds.length} 个项目，超出一次同步的上限，请在配置中填写需要同步的项目ID`;
    throw new ProviderFailure("too-large", { message });
  }
  // Project by project, so that the calls to one region that hangs alternate with calls to others.
  const listed = projectIds.flatMap((projectId) => regions.map((region) => ({ region, projectId })));
  return [...new Map([...listed, ...known].map((partition) => [partitionKey(partition), partition])).values()];
}

async function findKnownPartitions(em: SqlEntityManager, configId: string): Promise<Partition[]> {
  const hosts = kyselyOf(em).selectFrom("hosts").select(["region", "projectId"]).distinct();
  return await hosts.where("config", "=", configId).where("goneAt", "is", null).execute();
}

/** A sub-account may be refused the list: then only the default region is read. */
async function findRegions({ client, config, progress, signal }: Discovery): Promise<string[]> {
  const { defaultRegion } = config;
  const listed = await listRegions(client, signal).catch(nullIfForbidden);
  if (listed === null) {
    progress.add(REGIONS_REFUSED);
    return [defaultRegion];
  }
  if (listed.items.length === 0) {
    throw new ProviderFailure("unexpected", { message: "云服务商没有列出任何地域，请检查密钥权限" });
  }
  reportUnreadable(progress, "地域", listed.rejected);
  return listed.items.toSorted((a, b) => Number(b === defaultRegion) - Number(a === defaultRegion));
}

async function findProjects({ client, config, progress, signal }: Discovery): Promise<readonly string[]> {
  if (config.projectIds.length > 0) return config.projectIds;
  const listed = await listProjects(client, signal).catch(nullIfForbidden);
  if (listed === null) {
    progress.add(PROJECTS_REFUSED);
    return [""];
  }
  reportUnreadable(progress, "项目", listed.rejected);
  return listed.items.length > 0 ? listed.items : [""];
}

function reportUnreadable(progress: RunProgress, list: "地域" | "项目", rejected: number): void {
  if (rejected === 0) return;
  progress.count({ rejected });
  progress.add(unreadableRows(list, rejected));
}

/** Unchanged hosts of these partitions count as synced at the start of the run. */
export async function confirmPartitions(
  em: SqlEntityManager,
  { configId, startedAt: readAt }: RunRef,
  partitions: readonly Partition[],
): Promise<undefined> {
  if (partitions.length === 0) return;
  await kyselyOf(em)
    .insertInto("sync_partitions")
    .values(partitions.map(({ region, projectId }) => ({ config: configId, region, projectId, readAt })))
    .onConflict((conflict) => conflict.columns(["config", "projectId", "region"]).doUpdateSet({ readAt }))
    .execute();
}
