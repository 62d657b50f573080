import { AppError } from "../../../platform/errors.ts";
import type { CallPriority } from "../../../provider/call-gate.ts";
import type { Partition } from "../../../provider/uhost-api.ts";
import { connectProvider } from "../../provider-configs/connect-provider.ts";
import type { ConfigRow } from "../../provider-configs/entity.ts";
import { Crawl } from "../crawl.ts";
import type { SyncJobDeps } from "../deps.ts";
import type { SeenHost } from "../host-store.ts";

/** Less patient than a run: a person waits, or the next round comes soon. */
const CALL_LIMITS = {
  attemptTimeoutMs: 8_000,
  maxRetries: 2,
  retryBaseMs: 300,
  maxPauseMs: 5_000,
} as const;

export interface HostReference extends Partition {
  readonly id: string;
  readonly ucloudId: string;
}

/** Named hosts of one configuration, and what is asked for them with its key. */
export interface HostSearch<Host extends HostReference> {
  readonly configId: string;
  readonly hosts: readonly Host[];
  readonly crawl: Crawl;
  /** Those of the hosts that came, by the provider's id. Others that came are not written. */
  readonly found: ReadonlyMap<string, SeenHost>;
}

interface HostsToFind<Host extends HostReference> {
  /** Null when it was deleted. */
  readonly config: ConfigRow | null;
  readonly hosts: readonly Host[];
  readonly priority: CallPriority;
  readonly signal: AbortSignal;
}

/** Nothing is asked yet. Throws when the configuration was deleted or is switched off. */
export function openSearch<Host extends HostReference>(
  deps: SyncJobDeps,
  { config, hosts, priority, signal }: HostsToFind<Host>,
): HostSearch<Host> {
  if (config === null) throw configDeleted();
  if (!config.isActive) throw configSwitchedOff();

  const named = new Set(hosts.map(({ ucloudId }) => ucloudId));
  const found = new Map<string, SeenHost>();
  const crawl = new Crawl({
    client: connectProvider(deps, config, { priority, limits: CALL_LIMITS }),
    signal,
    async onHosts(seen) {
      for (const each of seen) {
        if (named.has(each.host.ucloudId)) found.set(each.host.ucloudId, each);
      }
    },
  });
  return { configId: config.id, hosts, crawl, found };
}

export function configSwitchedOff(): AppError {
  return new AppError("STATE_CONFLICT", "该主机的云账号已停用，请先在配置管理中启用再同步");
}

export function configDeleted(): AppError {
  return new AppError(
    "STATE_CONFLICT",
    "该主机的云账号配置已删除，无法单独同步；请用其他云账号做一次完整同步",
  );
}
