import type { Deps } from "../../platform/deps.ts";

export type AuditLogDeps = Pick<Deps, "em" | "clock">;
