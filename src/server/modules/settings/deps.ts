import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "../audit-records/deps.ts";

export type SettingsDeps = AuditDeps & Pick<Deps, "bus" | "clock">;
