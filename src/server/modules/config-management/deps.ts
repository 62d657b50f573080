import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "../audit-records/deps.ts";
import type { ProviderDeps } from "../provider-configs/deps.ts";

export type ConfigsDeps = ProviderDeps & AuditDeps & Pick<Deps, "bus" | "databaseClock" | "jobs">;
