import type { Config } from "../../shared/configs.ts";
import { presentSyncRun } from "../sync/present.ts";
import type { ConfigRecord } from "./queries.ts";

const SHOWN = 4;
/** A shorter key would be given away by its ends. */
const MIN_MASKED_LENGTH = 12;

/** First and last four characters; the stars do not tell the length. */
export function maskKey(key: string): string {
  if (key.length < MIN_MASKED_LENGTH) return "****";
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
