import type { LimitFunction } from "p-limit";
import type { SyncRunError } from "../../shared/sync.ts";
import type { ConfigRow } from "../configs/entity.ts";
import type { Deps } from "../core/deps.ts";
import type { ClientLimits, ProviderClient } from "../provider/client.ts";
import type { ProviderFailure } from "../provider/failure.ts";
import type { Lease } from "./lease.ts";
import type { Progress } from "./progress.ts";
import type { Place } from "./rules.ts";

export type SyncDeps = Pick<Deps, "em" | "log" | "clock" | "secrets" | "notices" | "outbound" | "metrics"> & {
  /** How patient runs are with the provider, where it differs from the client's own defaults. */
  readonly providerLimits?: Partial<ClientLimits>;
  /** How long a write should take, in ms, where all others wait for it: on the embedded database. */
  readonly writeTurn?: number;
};

/** What the parts of one run share. */
export interface RunContext {
  readonly deps: SyncDeps;
  readonly config: ConfigRow;
  readonly client: ProviderClient;
  readonly lease: Lease;
  readonly progress: Progress;
  /** Ends everything that the run has under way; the reason says why. */
  readonly signal: AbortSignal;
  /** The run's calls of the provider, five at once. */
  readonly calls: LimitFunction;
  /** Every host that this run has met, by the provider's id. */
  readonly met: Set<string>;
}

/** True once per host and run, through whichever place or page it comes first. */
export function isFirstMeeting({ met }: RunContext, ucloudId: string): boolean {
  const before = met.size;
  return met.add(ucloudId).size > before;
}

export function failureEntry(failure: ProviderFailure, place: Place | null): SyncRunError {
  return {
    region: place?.region ?? null,
    projectId: place?.projectId ?? null,
    code: failure.kind,
    message: failure.message,
  };
}
