import type { MikroORM } from "@mikro-orm/postgresql";
import pLimit from "p-limit";
import type { SyncJobDeps } from "./modules/sync/deps.ts";
import { LOST_RUNS_JOB, lostRunsJob } from "./modules/sync/lost-runs-job.ts";
import { SCHEDULE_JOB, scheduleJob } from "./modules/sync/schedule/schedule-job.ts";
import { settleJob } from "./modules/sync/settling/settle-job.ts";
import { SETTLE_JOB } from "./modules/sync/settling/settling.ts";
import { SYNC_RUN_JOB, syncRunJob } from "./modules/sync/sync-job.ts";
import { CLEAN_UP_JOB, cleanUpJob } from "./operations/clean-up-job.ts";
import { programActor } from "./platform/actor.ts";
import type { Deps } from "./platform/deps.ts";
import { maintenanceJob } from "./platform/embedded-database/maintenance-job.ts";
import { type JobQueue, openQueue, type QueueDeps } from "./platform/jobs/queue.ts";

interface StartDeps
  extends QueueDeps,
    Omit<SyncJobDeps, "em" | "actor">,
    Pick<Deps, "sessionLimits"> {
  readonly orm: MikroORM;
}

/**
 * Most of a job is waiting for the provider. Transactions of runs, settling, schedule and clean-up
 * may all wait for the same locks, and more connections than these of the pool's ten would be
 * missing to calls.
 */
const TRANSACTIONS_AT_ONCE = 4;

export async function startQueue(deps: StartDeps): Promise<JobQueue & AsyncDisposable> {
  const transactionTurns = pLimit(TRANSACTIONS_AT_ONCE);
  const own = { ...deps, transactionTurns, em: deps.orm.em.fork() };
  const jobs = [
    syncRunJob({ ...own, actor: programActor("system", SYNC_RUN_JOB) }),
    cleanUpJob({ ...own, actor: programActor("system", CLEAN_UP_JOB) }),
    lostRunsJob({ ...own, actor: programActor("system", LOST_RUNS_JOB) }),
    settleJob({ ...own, actor: programActor("system", SETTLE_JOB) }),
    scheduleJob({ ...own, actor: programActor("system", SCHEDULE_JOB) }),
  ];
  if (deps.database === "embedded") jobs.push(maintenanceJob(deps));
  return await openQueue(deps, jobs);
}
