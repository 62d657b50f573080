import type { MikroORM } from "@mikro-orm/postgresql";
import pLimit from "p-limit";
import { beginJob } from "./modules/assignments/begin-job.ts";
import { BEGIN_JOB } from "./modules/assignments/beginning.ts";
import { DELIVER_JOB } from "./modules/channels/queue-deliveries.ts";
import { deliverJob } from "./modules/deliveries/deliver-job.ts";
import type { DeliveriesDeps } from "./modules/deliveries/deps.ts";
import { DUE_DELIVERIES_JOB, dueDeliveriesJob } from "./modules/deliveries/due-deliveries-job.ts";
import { REMINDERS_JOB, remindersJob } from "./modules/reminders/reminders-job.ts";
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
    Omit<DeliveriesDeps, "em">,
    Pick<Deps, "auditRetention" | "sessionLimits"> {
  readonly orm: MikroORM;
}

/**
 * Most of a job is waiting for the provider. Transactions of runs, settling, schedule, reminders
 * and clean-up may all wait for the same locks, and more connections than these of the pool's ten
 * would be missing to calls.
 */
const TRANSACTIONS_AT_ONCE = 4;

export async function startQueue(deps: StartDeps): Promise<JobQueue & AsyncDisposable> {
  const transactionTurns = pLimit(TRANSACTIONS_AT_ONCE);
  const own = { ...deps, transactionTurns, em: deps.orm.em.fork() };
  const depsOf = (name: string) => ({ ...own, actor: programActor("system", name) });
  const jobs = [
    syncRunJob(depsOf(SYNC_RUN_JOB)),
    cleanUpJob(depsOf(CLEAN_UP_JOB)),
    lostRunsJob(depsOf(LOST_RUNS_JOB)),
    settleJob(depsOf(SETTLE_JOB)),
    scheduleJob(depsOf(SCHEDULE_JOB)),
    beginJob(depsOf(BEGIN_JOB)),
    remindersJob(depsOf(REMINDERS_JOB)),
    deliverJob(depsOf(DELIVER_JOB)),
    dueDeliveriesJob(depsOf(DUE_DELIVERIES_JOB)),
  ];
  if (deps.database === "embedded") jobs.push(maintenanceJob(deps));
  return await openQueue(deps, jobs);
}
