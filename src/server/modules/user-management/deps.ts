import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "../audit-records/deps.ts";

export type UserManagementDeps = AuditDeps &
  Pick<Deps, "bus" | "clock" | "jobs" | "passwords" | "stopping">;
