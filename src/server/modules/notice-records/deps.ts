import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { JobQueue } from "../../platform/jobs/queue.ts";

declare module "../../platform/deps.ts" {
  interface ModuleDeps {
    /** Shared by acts that are done together, see `shared-notices.ts`. Absent for a single act. */
    readonly batchId?: string;
  }
}

/** Of a transaction that tells somebody something. */
export interface NotifyDeps {
  readonly em: SqlEntityManager;
  readonly jobs: Pick<JobQueue, "send">;
  readonly batchId?: string;
}
