import type { FilterQuery, SqlEntityManager } from "@mikro-orm/postgresql";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/errors.ts";
import { ProviderFailure } from "../../../provider/failure.ts";
import type { Partition } from "../../../provider/uhost-api.ts";
import { HostEntity, type HostRow } from "../../hosts/entity.ts";
import { connectProvider, type ProviderDeps } from "../../provider-configs/connect-provider.ts";
import type { ConfigRow } from "../../provider-configs/entity.ts";
import { Crawl } from "../crawl.ts";
import type { SeenHost } from "../host-store.ts";

export type RefreshDeps = ProviderDeps & Pick<Deps, "em" | "bus">;

/** All calls together: the console waits 30 s. */
const TOTAL_TIMEOUT_MS = 25_000;
const CALL_LIMITS = {
  attemptTimeoutMs: 8_000,
  maxRetries: 2,
  retryBaseMs: 300,
  maxPauseMs: 5_000,
} as const;

export type StoredHost = Awaited<ReturnType<typeof findStoredHosts>>[number];

export interface HostReference extends Partition {
  readonly id: string;
  readonly ucloudId: string;
}

export interface ConfigHosts<Host extends HostReference = StoredHost> {
  readonly configId: string;
  readonly hosts: readonly Host[];
  readonly crawl: Crawl;
  readonly found: ReadonlyMap<string, SeenHost>;
}

export async function findStoredHosts(em: SqlEntityManager, where: FilterQuery<HostRow>) {
  return await em.find(HostEntity, where, { populate: ["config"], orderBy: { ucloudId: "asc" } });
}

/** Aborts when the time of a call is up; it fails what waits for the provider with that reason. */
export function startTimeLimit(): Disposable & { readonly signal: AbortSignal } {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(new ProviderFailure("timeout")), TOTAL_TIMEOUT_MS);
  return { signal: time.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Acts on hosts through their configurations. An AppError is the outcome of all hosts of its configuration. */
export async function forEachConfig<Outcome>(
  deps: RefreshDeps,
  hosts: readonly StoredHost[],
  act: (owned: ConfigHosts) => Promise<(host: StoredHost) => Outcome>,
): Promise<ReadonlyMap<string, Outcome | AppError>> {
  using limit = startTimeLimit();
  const outcomes = new Map<string, Outcome | AppError>();
  const actThrough = async ([config, owned]: [ConfigRow | null, readonly StoredHost[]]) => {
    const outcomeOf = await throughConfig(
      deps,
      { config, hosts: owned, signal: limit.signal },
      act,
    );
    for (const host of owned) outcomes.set(host.id, outcomeOf(host));
  };
  await Promise.all([...Map.groupBy(hosts, ({ config }) => config ?? null)].map(actThrough));
  return outcomes;
}

interface HostsToFind<Host> {
  readonly config: ConfigRow | null;
  readonly hosts: readonly Host[];
  readonly signal: AbortSignal;
}

/** Acts on hosts of one configuration. An AppError is the outcome of all of them. */
export async function throughConfig<Host extends HostReference, Outcome>(
  deps: RefreshDeps,
  toFind: HostsToFind<Host>,
  act: (owned: ConfigHosts<Host>) => Promise<(host: Host) => Outcome>,
): Promise<(host: Host) => Outcome | AppError> {
  try {
    return await act(openCrawl(deps, toFind));
  } catch (error) {
    if (error instanceof AppError) return () => error;
    throw error;
  }
}

function openCrawl<Host extends HostReference>(
  deps: RefreshDeps,
  { config, hosts, signal }: HostsToFind<Host>,
): ConfigHosts<Host> {
  if (config === null) throw configDeleted();
  if (!config.isActive) throw configSwitchedOff();
  const client = connectProvider(deps, config, { limits: CALL_LIMITS });
  const wanted = new Set(hosts.map(({ ucloudId }) => ucloudId));
  const found = new Map<string, SeenHost>();
  const onHosts = async (seen: readonly SeenHost[]) => {
    for (const each of seen)
      if (wanted.has(each.host.ucloudId)) found.set(each.host.ucloudId, each);
  };
  return { configId: config.id, hosts, crawl: new Crawl({ client, signal, onHosts }), found };
}

export function configSwitchedOff(): AppError {
  return new AppError("STATE_CONFLICT", "该主机所属的配置已停用，请先启用配置再同步");
}

export function configDeleted(): AppError {
  return new AppError(
    "STATE_CONFLICT",
    "该主机所属的配置已删除，无法单独同步；请用其他配置做一次完整同步",
  );
}
