import type { Deps } from "../../platform/deps.ts";
import type { ClientLimits } from "../../provider/client.ts";
import type { ProviderDeps } from "../provider-configs/deps.ts";

/** Of a job: the queue hands itself to what it delivers. */
export interface SyncJobDeps
  extends ProviderDeps,
    Pick<Deps, "actor" | "em" | "bus" | "databaseClock"> {
  readonly providerLimits?: Partial<ClientLimits>;
}

export type SyncDeps = SyncJobDeps & Pick<Deps, "jobs">;
