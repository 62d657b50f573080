import type { Config } from "../../shared/configs.ts";
import { presentSyncRun } from "../sync/present.ts";
import type { ConfigRecord } from "./queries.ts";

const SHOWN = 4;

/** The first and last four characters; the mask does not show the length. */
function maskKey(key: string): string {
  if (key.length <= 2 * SHOWN) return "****";
  return `${key.slice(0, SHOWN)}****${key.slice(-SHOWN)}`;
}

export function presentConfig(config: ConfigRecord): Config {
  return {
    id: config.id,
    name: config.name,
    publicKey: maskKey(config.publicKey),
    apiUrl: config.apiUrl,
    defaultRegion: config.defaultRegion,
    projectIds: config.projectIds,
    isDefault: config.isDefault,
    isActive: config.isActive,
    remark: config.remark,
    createdAt: config.createdAt,
    lastSync: config.lastSync === null ? null : presentSyncRun(config.lastSync),
  };
}
