import type { Config } from "../../../shared/configs.ts";
import type { SyncRun } from "../../../shared/sync.ts";
import { isStale, type ScheduledRun, scheduleState } from "../sync/schedule/schedule.ts";
import type { ConfigRow } from "./entity.ts";

interface ConfigState {
  readonly hostCount: number;
  readonly lastSync: SyncRun | null;
  readonly lastSuccessAt: number | null;
  readonly newestRuns: readonly ScheduledRun[];
}

/** Never the private key, and of the public key only its ends. `now` by the database's clock. */
export function presentConfig(
  config: ConfigRow,
  { hostCount, lastSync, lastSuccessAt, newestRuns }: ConfigState,
  now: number,
): Config {
  const intervalMinutes = config.syncIntervalMinutes ?? null;
  const state = scheduleState(
    {
      configId: config.id,
      intervalMinutes,
      isActive: config.isActive,
      chosenAt: config.scheduleChosenAt ?? null,
      resumedAt: config.scheduleResumedAt ?? null,
    },
    newestRuns,
    now,
  );
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
    syncIntervalMinutes: intervalMinutes,
    // A slot that has just passed is started within a minute.
    nextSyncAt: state.kind === "waiting" ? Math.max(state.nextAt, now) : null,
    lastSuccessAt,
    schedulePausedReason: state.kind === "paused" ? state.reason : null,
    isStale: isStale({ intervalMinutes, createdAt: config.createdAt, lastSuccessAt }, now),
  };
}

function maskKey(key: string): string {
  return key.length <= 8 ? "****" : `${key.slice(0, 4)}****${key.slice(-4)}`;
}
