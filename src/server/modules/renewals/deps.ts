import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "../audit-records/deps.ts";

export type RenewalsDeps = AuditDeps & Pick<Deps, "batchId" | "bus" | "clock" | "jobs">;
