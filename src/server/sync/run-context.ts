import type { LimitFunction } from "p-limit";
import type { SyncRunError } from "../../shared/sync.ts";
import type { ConfigRow } from "../configs/entity.ts";
import type { Deps } from "../core/deps.ts";
import type { ClientLimits } from "../provider/client.ts";
import type { ProviderFailure } from "../provider/failure.ts";
import type { Lease } from "./lease.ts";
import type { Progress } from "./progress.ts";
import type { Asking } from "./questions.ts";
import { isSamePlace, type Place } from "./rules.ts";

export type SyncDeps = Pick<Deps, "em" | "log" | "clock" | "secrets" | "bus" | "outbound" | "callGates" | "metrics"> & {
  /** How patient runs are with the provider, where it differs from the client's own defaults. */
  readonly providerLimits?: Partial<ClientLimits>;
  /** The most hosts that one configuration may have, where it differs from the rule. */
  readonly maxHosts?: number;
  /** How long a write should take, in ms, where all others wait for it: on the embedded database. */
  readonly writeTurn?: number;
  /** Shared by all runs of a process: how many of them may be asking the database at once. */
  readonly databaseTurns?: LimitFunction;
};

/** What the parts of one run share. */
export interface RunContext extends Asking {
  readonly deps: SyncDeps;
  readonly config: ConfigRow;
  /** The most hosts that the configuration may have. */
  readonly maxHosts: number;
  /** Unix seconds. */
  readonly startedAt: number;
  /** The configuration's present hosts when the run began. */
  readonly hostsBefore: number;
  /** Places that were noted as empty when the run began and where it has met no host yet. */
  readonly emptyPlaces: Set<Place>;
  readonly lease: Lease;
  readonly progress: Progress;
  /** Ends everything that the run has under way; the reason says why. */
  readonly signal: AbortSignal;
  /** Every host that this run has met, by the provider's id, and the place where it was met first. */
  readonly met: Map<string, Place>;
  /** Those whose records could not be understood, by the provider's id: each counts once, wherever it comes again. */
  readonly unreadable: Set<string>;
  /** Places that share hosts with another one, and which: each once, however often a place is read. */
  readonly overlaps: Map<Place, Set<string>>;
}

/** True once per host and run, through whichever place or page it comes first. A host in two places speaks against both. */
export function isFirstMeeting({ met, overlaps }: RunContext, ucloudId: string, place: Place): boolean {
  const first = met.get(ucloudId);
  if (first === undefined) {
    met.set(ucloudId, place);
    return true;
  }
  if (!isSamePlace(first, place)) {
    for (const one of [first, place]) overlaps.set(one, (overlaps.get(one) ?? new Set()).add(ucloudId));
  }
  return false;
}

export function failureEntry(failure: ProviderFailure, place: Place | null): SyncRunError {
  return {
    region: place?.region ?? null,
    projectId: place?.projectId ?? null,
    code: failure.kind,
    message: failure.message,
  };
}
