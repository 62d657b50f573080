import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { SyncRunError } from "../../../../shared/sync.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import type { ProviderClient } from "../../../provider/client.ts";
import { nullIfForbidden, ProviderFailure } from "../../../provider/failure.ts";
import {
  type Listed,
  listProjects,
  listRegions,
  type Partition,
  partitionKey,
} from "../../../provider/uhost-api.ts";
import type { ConfigRow } from "../../provider-configs/entity.ts";
import type { CrawlProgress } from "../crawl.ts";
import { PROJECTS_REFUSED, REGIONS_REFUSED, unreadableRows } from "../run-errors.ts";

/** More cannot be read within the time of a run. */
const MAX_PARTITIONS = 50_000;

interface Discovery {
  readonly client: ProviderClient;
  readonly config: Pick<ConfigRow, "id" | "defaultRegion" | "projectIds">;
  readonly progress: CrawlProgress;
  readonly signal: AbortSignal;
}

/** Every region of every project, the default region first, then others with present hosts. Throws ProviderFailure. */
export async function discoverPartitions(
  em: SqlEntityManager,
  discovery: Discovery,
): Promise<Partition[]> {
  const hosts = kyselyOf(em).selectFrom("hosts").select(["region", "projectId"]).distinct();
  const [regions, projectIds, known] = await Promise.all([
    findRegions(discovery),
    findProjects(discovery),
    hosts.where("config", "=", discovery.config.id).where("goneAt", "is", null).execute(),
  ]);
  if (regions.length * projectIds.length > MAX_PARTITIONS) {
    const message = `共有 ${regions.length} 个地域、${projectIds.length} 个项目，超出一次同步的上限，请在配置中填写需要同步的项目ID`;
    throw new ProviderFailure("too-large", { message });
  }
  // Project by project, so that the calls to one region that hangs alternate with calls to others.
  const listed = projectIds.flatMap((projectId) =>
    regions.map((region) => ({ region, projectId })),
  );
  return [
    ...new Map(
      [...listed, ...known].map((partition) => [partitionKey(partition), partition]),
    ).values(),
  ];
}

/** A sub-account may be refused the list: then only the default region is read. */
async function findRegions({
  client,
  config,
  progress,
  signal,
}: Discovery): Promise<readonly string[]> {
  const { defaultRegion } = config;
  const listed = await listRegions(client, signal).catch(nullIfForbidden);
  const regions = report(progress, listed, "地域", REGIONS_REFUSED) ?? [defaultRegion];
  if (regions.length === 0) {
    throw new ProviderFailure("unexpected", {
      message: "云服务商没有列出任何地域，请检查密钥权限",
    });
  }
  return regions.toSorted((a, b) => Number(b === defaultRegion) - Number(a === defaultRegion));
}

async function findProjects({
  client,
  config,
  progress,
  signal,
}: Discovery): Promise<readonly string[]> {
  if (config.projectIds.length > 0) return config.projectIds;
  const listed = await listProjects(client, signal).catch(nullIfForbidden);
  const projectIds = report(progress, listed, "项目", PROJECTS_REFUSED) ?? [];
  return projectIds.length > 0 ? projectIds : [""];
}

function report(
  progress: CrawlProgress,
  listed: Listed | null,
  list: "地域" | "项目",
  refused: SyncRunError,
): readonly string[] | null {
  if (listed === null) progress.add(refused);
  else if (listed.rejected > 0) {
    progress.count({ rejected: listed.rejected });
    progress.add(unreadableRows(list, listed.rejected));
  }
  return listed?.items ?? null;
}
