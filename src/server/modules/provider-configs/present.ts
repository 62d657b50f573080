import type { Config } from "../../../shared/configs.ts";
import type { SyncRun } from "../../../shared/sync.ts";
import type { ConfigRow } from "./entity.ts";

interface ConfigState {
  readonly hostCount: number;
  readonly lastSync: SyncRun | null;
}

/** Never the private key, and of the public key only its ends. */
export function presentConfig(config: ConfigRow, { hostCount, lastSync }: ConfigState): Config {
  return {
    id: config.id,
    name: config.name,
    publicKey: maskKey(config.publicKey),
    apiUrl: config.apiUrl,
    defaultRegion: config.defaultRegion,
    projectIds: config.projectIds,
    isDefault: config.isDefault,
    isActive: config.isActive,
    remark: config.remark ?? null,
    createdAt: config.createdAt,
    hostCount,
    lastSync,
  };
}

function maskKey(key: string): string {
  return key.length <= 8 ? "****" : `${key.slice(0, 4)}****${key.slice(-4)}`;
}
