import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import type { JobQueue } from "../core/ports.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import { interruptRuns } from "../sync/end-run.ts";
import type { RunDeps } from "../sync/run/execute-run.ts";
import { syncRunJob } from "../sync/sync-job.ts";
import { cleanUpJob } from "./clean-up.ts";
import { maintenanceJob } from "./maintenance.ts";
import { openQueue, type QueueDeps } from "./queue.ts";

const RETRY_MS = 1_000;

interface StartDeps extends QueueDeps, Omit<RunDeps, "em">, Pick<Deps, "sessionLimits"> {
  readonly orm: MikroORM;
  readonly signal: AbortSignal;
}

/** Opens the queue with every job of the product. Retries while the database is unavailable. */
export async function startQueue(deps: StartDeps): Promise<JobQueue & AsyncDisposable> {
  const { log, signal, database, orm } = deps;
  const own = { ...deps, em: orm.em.fork() };
  const jobs = [syncRunJob(own), cleanUpJob(own)];
  if (database === "embedded") jobs.push(maintenanceJob(deps));
  for (let failures = 0; ; failures++) {
    try {
      // It has no other process: what is running there was left by a dead one.
      if (database === "embedded") await interruptRuns(own, sql`true`);
      return await openQueue(deps, jobs);
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error;
      if (failures === 0) log.warn({ err: error }, "the job queue cannot be opened, retrying");
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
