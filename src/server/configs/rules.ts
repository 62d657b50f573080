import type { Config } from "../../shared/configs.ts";
import { presentSyncRun } from "../sync/present.ts";
import type { ConfigRecord } from "./queries.ts";

const SHOWN = 4;

/** First and last four characters; the stars do not tell the length. */
export function maskKey(key: string): string {
  // The ends of a shorter key are all of it.
  if (key.length <= 2 * SHOWN) return "****";
  return `${key.slice(0, SHOWN)}****${key.slice(-SHOWN)}`;
}

export function presentConfig(row: ConfigRecord): Config {
  return {
    id: row.id,
    name: row.name,
    publicKey: maskKey(row.public_key),
    apiUrl: row.api_url,
    defaultRegion: row.default_region,
    projectIds: row.project_ids,
    isDefault: row.is_default,
    isActive: row.is_active,
    remark: row.remark,
    createdAt: row.created_at,
    lastSync: row.last_sync === null ? null : presentSyncRun(row.last_sync),
  };
}
