import type { MikroORM } from "@mikro-orm/postgresql";
import { programActor } from "../core/actor.ts";
import type { Deps } from "../core/deps.ts";
import type { JobQueue } from "../core/ports.ts";
import type { RunDeps } from "../sync/run/execute-run.ts";
import { SYNC_RUN_JOB, syncRunJob } from "../sync/sync-job.ts";
import { CLEAN_UP_JOB, cleanUpJob } from "./clean-up.ts";
import { LOST_RUNS_JOB, lostRunsJob } from "./lost-runs.ts";
import { maintenanceJob } from "./maintenance.ts";
import { openQueue, type QueueDeps } from "./queue.ts";

interface StartDeps extends QueueDeps, Omit<RunDeps, "em" | "actor">, Pick<Deps, "sessionLimits"> {
  readonly orm: MikroORM;
}

export async function startQueue(deps: StartDeps): Promise<JobQueue & AsyncDisposable> {
  const own = { ...deps, em: deps.orm.em.fork() };
  const jobs = [
    syncRunJob({ ...own, actor: programActor("system", SYNC_RUN_JOB) }),
    cleanUpJob({ ...own, actor: programActor("system", CLEAN_UP_JOB) }),
    lostRunsJob({ ...own, actor: programActor("system", LOST_RUNS_JOB) }),
  ];
  if (deps.database === "embedded") jobs.push(maintenanceJob(deps));
  return await openQueue(deps, jobs);
}
