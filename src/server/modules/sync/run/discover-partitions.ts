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

/**
 * Every region of every project, the default region first, and then every partition where the
 * database has present hosts: a host is judged only by a list that covers it. Throws
 * ProviderFailure.
 */
export async function discoverPartitions(
  em: SqlEntityManager,
  discovery: Discovery,
): Promise<Partition[]> {
  const [regions, projectIds, known] = await Promise.all([
    findRegions(discovery),
    findProjects(discovery),
    findKnownPartitions(em, discovery.config.id),
  ]);
  if (regions.length * projectIds.length > MAX_PARTITIONS) {
    const message = `共有 ${regions.length} 个地域、${projectIds.length} 个项目，超出一次同步的上限，请在配置中填写需要同步的项目 ID`;
    throw new ProviderFailure("too-large", { message });
  }

  const listed = projectIds.flatMap((projectId) =>
    regions.map((region) => ({ region, projectId })),
  );
  const all = [...listed, ...known];
  return [...new Map(all.map((partition) => [partitionKey(partition), partition])).values()];
}

async function findKnownPartitions(em: SqlEntityManager, configId: string): Promise<Partition[]> {
  return await kyselyOf(em)
    .selectFrom("hosts")
    .select(["region", "projectId"])
    .distinct()
    .where("config", "=", configId)
    .where("goneAt", "is", null)
    .execute();
}

/** A sub-account may be refused the list: then only the default region is read. */
async function findRegions({ client, config, progress, signal }: Discovery): Promise<string[]> {
  const { defaultRegion } = config;
  const listed = await listRegions(client, signal).catch(nullIfForbidden);
  report(progress, listed, { list: "地域", refused: REGIONS_REFUSED });
  if (listed === null) return [defaultRegion];

  if (listed.items.length === 0) {
    const message = "云服务商没有列出任何地域，请检查密钥权限";
    throw new ProviderFailure("unexpected", { message });
  }
  const others = listed.items.filter((region) => region !== defaultRegion);
  return listed.items.includes(defaultRegion) ? [defaultRegion, ...others] : others;
}

/** A sub-account may be refused the list: then only the default project is read. */
async function findProjects({
  client,
  config,
  progress,
  signal,
}: Discovery): Promise<readonly string[]> {
  if (config.projectIds.length > 0) return config.projectIds;

  const listed = await listProjects(client, signal).catch(nullIfForbidden);
  report(progress, listed, { list: "项目", refused: PROJECTS_REFUSED });
  if (listed === null || listed.items.length === 0) return [""];
  return listed.items;
}

interface ListReport {
  readonly list: "地域" | "项目";
  readonly refused: SyncRunError;
}

/** Notes that a list was refused (null), or that some of its rows could not be read. */
function report(progress: CrawlProgress, listed: Listed | null, texts: ListReport): void {
  if (listed === null) {
    progress.add(texts.refused);
  } else if (listed.rejected > 0) {
    progress.count({ rejected: listed.rejected });
    progress.add(unreadableRows(texts.list, listed.rejected));
  }
}
