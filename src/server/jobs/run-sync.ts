import { z } from "zod";
import { Id } from "../../shared/ids.ts";
import { SYNC_RUN_JOB } from "../sync/job-name.ts";
import type { SyncWorker } from "../sync/worker.ts";
import type { Job } from "./job.ts";

const Payload = z.object({ runId: Id });

/** Hands a queued run to the worker of this process. Who gets it is decided by the run's row, so a second delivery does nothing. */
export function runSyncJob(worker: SyncWorker): Job {
  return {
    name: SYNC_RUN_JOB,
    pollSeconds: 0.5,
    isBegunBySender: true,
    async handle(payload) {
      const { runId } = Payload.parse(payload);
      // Not awaited: the run's own lease says how it goes, and the queue's time limits are not a run's.
      void worker.claimAndRun(runId);
    },
  };
}
