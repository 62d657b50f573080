import type { Balance, Config } from "../../../shared/configs.ts";
import { yuanOf } from "../../../shared/money.ts";
import type { SyncRun } from "../../../shared/sync.ts";
import type { ConfigRow } from "../provider-configs/entity.ts";
import type { ScheduleState } from "../sync/schedule/schedule.ts";

interface ConfigState {
  readonly hostCount: number;
  readonly lastSync: SyncRun | null;
  readonly lastSuccessAt: number | null;
  readonly schedule: ScheduleState;
  readonly balance: Balance | null;
  readonly isStale: boolean;
}

/** Never the private key, and of the public key only its ends. */
export function presentConfig(config: ConfigRow, state: ConfigState): Config {
  const { schedule } = state;
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
    hostCount: state.hostCount,
    lastSync: state.lastSync,
    syncIntervalMinutes: config.syncIntervalMinutes ?? null,
    nextSyncAt: schedule.kind === "waiting" ? schedule.nextAt : null,
    lastSuccessAt: state.lastSuccessAt,
    schedulePausedReason: schedule.kind === "paused" ? schedule.reason : null,
    balance: state.balance,
    balanceAlert: config.balanceAlertFen == null ? null : yuanOf(config.balanceAlertFen),
    isStale: state.isStale,
  };
}

function maskKey(key: string): string {
  return key.length <= 8 ? "****" : `${key.slice(0, 4)}****${key.slice(-4)}`;
}
