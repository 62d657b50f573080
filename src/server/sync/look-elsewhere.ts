import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { ProviderFailure, type ProviderFailureKind } from "../provider/failure.ts";
import { listProjects } from "../provider/uhost-api.ts";
import { type Asking, findByIds, type StoredHost } from "./look-at-place.ts";
import type { Place } from "./rules.ts";
import type { SeenHost } from "./write-hosts.ts";

/** Such a project is none of this key's, so nothing of it can be there. */
const NOT_OURS: readonly ProviderFailureKind[] = ["forbidden", "not-opened", "project-missing"];

/**
 * Hosts that are not in their place any more, by id in the region's other projects: they may have come to another one since the last
 * run. @throws ProviderFailure when that cannot be said, or the signal's reason.
 */
export async function lookElsewhere(
  em: SqlEntityManager,
  asking: Asking,
  place: Place,
  hosts: readonly StoredHost[],
): Promise<readonly SeenHost[]> {
  const readable = asking.projectIds.length > 0 ? asking.projectIds : await listedProjects(asking);
  const projectIds = new Set([...readable, ...(await inhabitedProjects(em, asking, place))]);
  const others = [...projectIds].filter((projectId) => projectId !== place.projectId);
  const found = await Promise.all(
    others.map((projectId) => findByIds(asking, { region: place.region, projectId }, hosts).catch(noneIfNotOurs)),
  );
  return found.flat();
}

async function listedProjects({ client, signal }: Asking): Promise<string[]> {
  try {
    const { items, rejected } = await listProjects(client, signal);
    if (rejected > 0) throw new ProviderFailure("unexpected", { message: LIST_IN_DOUBT });
    return items.map(({ id }) => id);
  } catch (error) {
    return noneIfNotOurs(error);
  }
}

const LIST_IN_DOUBT =
  "云服务商的项目列表不完整，主机可能已移到其他项目，保持原状；请稍后重试，或在配置中填写需要同步的项目ID";

/** Where the configuration has hosts in that region, be the project listed or not. */
async function inhabitedProjects(
  em: SqlEntityManager,
  { configId }: Asking,
  { region }: Place,
): Promise<readonly string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select distinct project_id from hosts where config_id = ${configId} and region = ${region} and gone_at is null
  `.execute(em.getKysely());
  return rows.map(({ project_id: projectId }) => projectId);
}

function noneIfNotOurs(error: unknown): never[] {
  if (error instanceof ProviderFailure && isNotOurs(error)) return [];
  throw error;
}

export function isNotOurs({ kind }: ProviderFailure): boolean {
  return NOT_OURS.includes(kind);
}
