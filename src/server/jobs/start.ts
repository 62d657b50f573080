import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { z } from "zod";
import { Id } from "../../shared/ids.ts";
import { removeDeadSignIns } from "../auth/clean-up.ts";
import type { Deps } from "../core/deps.ts";
import type { JobQueue } from "../core/ports.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import { removeOldEvents } from "../events/store.ts";
import { SYNC_RUN_JOB } from "../sync/job-name.ts";
import { reapExpired } from "../sync/reap.ts";
import type { SyncWorker } from "../sync/worker.ts";
import { maintenanceJob } from "./maintenance.ts";
import { type Job, openQueue, type QueueDeps } from "./queue.ts";

const RETRY_MS = 1_000;
const SyncRunPayload = z.object({ runId: Id });

interface StartDeps extends QueueDeps, Pick<Deps, "clock" | "bus" | "metrics" | "sessionLimits"> {
  readonly orm: MikroORM;
  readonly worker: SyncWorker;
  /** Ends the retries while the database is unavailable. */
  readonly signal: AbortSignal;
}

/** Opens the queue with every job of the product. Retries while the database is unavailable. */
export async function startQueue(deps: StartDeps): Promise<JobQueue & AsyncDisposable> {
  const { log, signal } = deps;
  const jobs = [syncRunJob(deps.worker), cleanUpJob(deps), reapRunsJob(deps)];
  if (deps.database === "embedded") jobs.push(maintenanceJob(deps));
  for (let failures = 0; ; failures++) {
    try {
      return await openQueue(deps, jobs);
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error;
      if (failures === 0) log.warn({ err: error }, "the job queue cannot be opened, retrying");
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}

/** Works on a queued run. The worker claims the run's row, so a second delivery does nothing. */
function syncRunJob(worker: SyncWorker): Job {
  return {
    name: SYNC_RUN_JOB,
    pollSeconds: 0.5,
    isBegunBySender: true,
    async handle(payload) {
      const { runId } = SyncRunPayload.parse(payload);
      // Not awaited: a run has its own lease, which the queue's time limits must not cut short.
      void worker.claimAndRun(runId);
    },
  };
}

/** Removes events that are too old to replay, dead sessions and old failed sign-ins. */
export function cleanUpJob({ orm, ...deps }: Pick<StartDeps, "orm" | "clock" | "sessionLimits">): Job {
  return {
    name: "clean-up",
    cron: "*/10 * * * *",
    pollSeconds: 10,
    async handle() {
      const em = orm.em.fork();
      await removeOldEvents({ ...deps, em });
      await removeDeadSignIns({ ...deps, em });
    },
  };
}

/** Ends the sync runs whose process died. */
function reapRunsJob({ orm, ...deps }: StartDeps): Job {
  return {
    name: "reap-runs",
    cron: "* * * * *",
    pollSeconds: 10,
    async handle() {
      await reapExpired({ ...deps, em: orm.em.fork() });
    },
  };
}
