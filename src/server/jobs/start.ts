import type { MikroORM } from "@mikro-orm/postgresql";
import type { Deps } from "../core/deps.ts";
import type { JobQueue } from "../core/ports.ts";
import type { RunDeps } from "../sync/run/execute-run.ts";
import { syncRunJob } from "../sync/sync-job.ts";
import { cleanUpJob } from "./clean-up.ts";
import { lostRunsJob } from "./lost-runs.ts";
import { maintenanceJob } from "./maintenance.ts";
import { openQueue, type QueueDeps } from "./queue.ts";

interface StartDeps extends QueueDeps, Omit<RunDeps, "em">, Pick<Deps, "sessionLimits"> {
  readonly orm: MikroORM;
}

export async function startQueue(deps: StartDeps): Promise<JobQueue & AsyncDisposable> {
  const own = { ...deps, em: deps.orm.em.fork() };
  const jobs = [syncRunJob(own), cleanUpJob(own), lostRunsJob(own)];
  if (deps.database === "embedded") jobs.push(maintenanceJob(deps));
  return await openQueue(deps, jobs);
}
