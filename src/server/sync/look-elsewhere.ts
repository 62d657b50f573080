import { ProviderFailure, type ProviderFailureKind } from "../provider/failure.ts";
import { listProjects } from "../provider/ucloud.ts";
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
  asking: Asking,
  place: Place,
  hosts: readonly StoredHost[],
): Promise<readonly SeenHost[]> {
  const projectIds = asking.projectIds.length > 0 ? asking.projectIds : await listedProjects(asking);
  const others = projectIds.filter((projectId) => projectId !== place.projectId);
  const found = await Promise.all(
    others.map((projectId) => findByIds(asking, { region: place.region, projectId }, hosts).catch(noneIfNotOurs)),
  );
  return found.flat();
}

async function listedProjects({ client, signal }: Asking): Promise<string[]> {
  try {
    return (await listProjects(client, signal)).items.map(({ id }) => id);
  } catch (error) {
    return noneIfNotOurs(error);
  }
}

function noneIfNotOurs(error: unknown): never[] {
  if (error instanceof ProviderFailure && isNotOurs(error)) return [];
  throw error;
}

export function isNotOurs({ kind }: ProviderFailure): boolean {
  return NOT_OURS.includes(kind);
}
