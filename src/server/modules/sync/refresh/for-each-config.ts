import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../../platform/errors.ts";
import { HostEntity } from "../../hosts/entity.ts";
import type { ConfigRow } from "../../provider-configs/entity.ts";
import type { SyncDeps } from "../deps.ts";
import { failed, type HostOutcomes } from "./host-outcome.ts";
import { type HostReference, type HostSearch, openSearch } from "./host-search.ts";

/** A host with its configuration. */
export type StoredHost = Awaited<ReturnType<typeof findStoredHosts>>[number];

export async function findStoredHosts(em: SqlEntityManager, ids: readonly string[]) {
  return await em.find(
    HostEntity,
    { id: [...ids] },
    { populate: ["config"], orderBy: { ucloudId: "asc" } },
  );
}

/**
 * Acts on hosts of any configurations, side by side: each configuration has its own key, so one
 * that fails or hangs leaves the hosts of the others alone. `signal` bounds all of them together.
 */
export async function forEachConfig(
  deps: SyncDeps,
  hosts: readonly StoredHost[],
  signal: AbortSignal,
  act: (search: HostSearch<StoredHost>) => Promise<HostOutcomes>,
): Promise<HostOutcomes> {
  const hostsByConfig = Map.groupBy(hosts, ({ config }) => config ?? null);
  const outcomes = await Promise.all(
    Array.from(hostsByConfig, ([config, hostsOfConfig]) =>
      withConfig(deps, { config, hosts: hostsOfConfig, signal }, act),
    ),
  );
  return new Map(outcomes.flatMap((ofConfig) => [...ofConfig]));
}

interface HostsOfConfig<Host extends HostReference> {
  /** Null when it was deleted. */
  readonly config: ConfigRow | null;
  readonly hosts: readonly Host[];
  readonly signal: AbortSignal;
}

/**
 * Acts on hosts of one configuration, for a person who waits. An AppError, such as a refused key or
 * a configuration that is switched off meanwhile, is the outcome of all of them.
 */
export async function withConfig<Host extends HostReference>(
  deps: SyncDeps,
  { config, hosts, signal }: HostsOfConfig<Host>,
  act: (search: HostSearch<Host>) => Promise<HostOutcomes>,
): Promise<HostOutcomes> {
  try {
    return await act(openSearch(deps, { config, hosts, priority: "person", signal }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return new Map(hosts.map(({ id }) => [id, failed(error)]));
  }
}
