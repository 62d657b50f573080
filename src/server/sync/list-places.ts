import { ProviderFailure } from "../provider/failure.ts";
import { listProjects, listRegions } from "../provider/uhost-api.ts";
import type { Progress } from "./progress.ts";
import type { Place } from "./rules.ts";
import { failureEntry, type RunContext } from "./run-context.ts";

/** More are not read within the time that a run has. */
const MAX_PLACES = 50_000;

/** What a run reads: every region × every project. */
export interface Places {
  readonly regions: readonly string[];
  readonly projectIds: readonly string[];
  readonly all: readonly Place[];
  /** The provider's list of projects says itself that there are others: a host may be in one of those. */
  readonly hasOthers: boolean;
}

/**
 * Asks the provider what there is to read, the default region first: its hosts are what people wait for.
 * @throws ProviderFailure when it cannot be known.
 */
export async function listPlaces(run: RunContext): Promise<Places> {
  const [regions, { projectIds, hasOthers }] = await Promise.all([findRegions(run), findProjects(run)]);
  const count = regions.length * projectIds.length;
  if (count > MAX_PLACES) {
    const message = `共有 ${regions.length} 个地域、${projectIds.length} 个项目，超出一次同步的上限，请在配置中填写需要同步的项目ID`;
    throw new ProviderFailure("too-large", { message });
  }
  const all = regions.flatMap((region) => projectIds.map((projectId) => ({ region, projectId })));
  return { regions, projectIds, all, hasOthers };
}

/** A sub-account may be refused the list; then the default region is all that is known of. */
async function findRegions({ client, config, progress, signal }: RunContext): Promise<string[]> {
  const first = config.defaultRegion;
  try {
    const { items, rejected } = await listRegions(client, signal);
    countRejected(progress, "地域", rejected);
    const listed = items.map(({ region }) => region);
    if (listed.length === 0)
      throw new ProviderFailure("unexpected", { message: "云服务商没有列出任何地域，请检查密钥权限" });
    return listed.includes(first) ? [first, ...listed.filter((region) => region !== first)] : listed;
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.kind === "forbidden")) throw error;
    const message = "该密钥无权列出地域，只读取默认地域；请在云平台授予其查看地域的权限";
    progress.addError({ region: null, projectId: null, code: "regions-refused", message });
    return [first];
  }
}

async function findProjects({
  client,
  config,
  progress,
  signal,
}: RunContext): Promise<Pick<Places, "projectIds" | "hasOthers">> {
  if (config.projectIds.length > 0) return { projectIds: config.projectIds, hasOthers: false };
  try {
    const { items, rejected } = await listProjects(client, signal);
    countRejected(progress, "项目", rejected);
    const projectIds = items.length > 0 ? items.map(({ id }) => id) : [""];
    return { projectIds, hasOthers: rejected > 0 };
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.kind === "forbidden")) throw error;
    const { code, region, projectId } = failureEntry(error, null);
    const message = "该密钥无权列出项目，只读取默认项目；请在配置中填写可用的项目ID";
    progress.addError({ region, projectId, code, message });
    return { projectIds: [""], hasOthers: false };
  }
}

/** Hosts of a region or project that cannot be read are missing without being noticed otherwise. */
function countRejected(progress: Progress, what: "地域" | "项目", rejected: number): void {
  if (rejected === 0) return;
  progress.add({ rejected });
  const unmarked = what === "项目" ? "，也未标记任何主机为已消失" : "";
  const message = `云服务商的${what}列表中有 ${rejected} 条无法识别，其中的主机未同步${unmarked}；请稍后重新同步，若持续出现，请联系云服务商`;
  progress.addError({ region: null, projectId: null, code: "rejected", message });
}
