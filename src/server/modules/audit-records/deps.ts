import type { Deps } from "../../platform/deps.ts";

declare module "../../platform/deps.ts" {
  interface ModuleDeps {
    /** How long entries of the audit log are kept, in seconds. */
    readonly auditRetention: number;
  }
}

/** What everybody is given who records what is done. */
export type AuditDeps = Pick<Deps, "actor" | "auditTrail" | "em" | "log">;
