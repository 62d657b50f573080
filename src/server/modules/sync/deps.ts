import type { Deps } from "../../platform/deps.ts";
import type { ClientLimits } from "../../provider/client.ts";
import type { AuditDeps } from "../audit-records/deps.ts";
import type { ProviderDeps } from "../provider-configs/deps.ts";

/** Of a job: the queue hands itself to what it delivers. */
export interface SyncJobDeps extends ProviderDeps, AuditDeps, Pick<Deps, "bus" | "databaseClock"> {
  readonly providerLimits?: Partial<ClientLimits>;
}

export type SyncDeps = SyncJobDeps & Pick<Deps, "jobs">;
