import type { ConfigRow } from "../../configs/entity.ts";
import type { ProviderClient } from "../../provider/client.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { listProjects, listRegions } from "../../provider/uhost-api.ts";
import { PROJECTS_REFUSED, REGIONS_REFUSED, unreadableRows } from "./run-errors.ts";
import type { RunReport } from "./run-writer.ts";

/** More cannot be read within the time of a run. */
const MAX_PARTITIONS = 50_000;

/** The unit that the provider lists: one region of one project. */
export interface Partition {
  readonly region: string;
  /** Empty for the account's default project. */
  readonly projectId: string;
}

export function partitionKey({ region, projectId }: Partition): string {
  return `${region} ${projectId}`;
}

interface Discovery {
  readonly client: ProviderClient;
  readonly config: Pick<ConfigRow, "defaultRegion" | "projectIds">;
  readonly report: RunReport;
  readonly signal: AbortSignal;
}

/** Every region × every project that the key can list, the default region first. Throws ProviderFailure. */
export async function discoverPartitions(discovery: Discovery): Promise<Partition[]> {
  const [regions, projectIds] = await Promise.all([findRegions(discovery), findProjects(discovery)]);
  if (regions.length * projectIds.length > MAX_PARTITIONS) {
    const message = `共有 ${regions.length} 个地域、${projectIds.length} 个项目，超出一次同步的上限，请在配置中填写需要同步的项目ID`;
    throw new ProviderFailure("too-large", { message });
  }
  return regions.flatMap((region) => projectIds.map((projectId) => ({ region, projectId })));
}

/** A sub-account may be refused the list: then only the default region is read. */
async function findRegions({ client, config, report, signal }: Discovery): Promise<string[]> {
  const { defaultRegion } = config;
  try {
    const { items, rejected } = await listRegions(client, signal);
    if (rejected > 0) report.reject(rejected, unreadableRows("地域", rejected));
    if (items.length === 0) {
      throw new ProviderFailure("unexpected", { message: "云服务商没有列出任何地域，请检查密钥权限" });
    }
    const regions = items.map(({ region }) => region);
    if (!regions.includes(defaultRegion)) return regions;
    return [defaultRegion, ...regions.filter((region) => region !== defaultRegion)];
  } catch (error) {
    if (!isForbidden(error)) throw error;
    report.add(REGIONS_REFUSED);
    return [defaultRegion];
  }
}

async function findProjects({ client, config, report, signal }: Discovery): Promise<readonly string[]> {
  if (config.projectIds.length > 0) return config.projectIds;
  try {
    const { items, rejected } = await listProjects(client, signal);
    if (rejected > 0) report.reject(rejected, unreadableRows("项目", rejected));
    return items.length > 0 ? items.map(({ id }) => id) : [""];
  } catch (error) {
    if (!isForbidden(error)) throw error;
    report.add(PROJECTS_REFUSED);
    return [""];
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof ProviderFailure && error.kind === "forbidden";
}
