import { sql } from "kysely";
import { z } from "zod";
import { Id } from "../../shared/ids.ts";
import type { Job } from "../core/ports.ts";
import { kyselyOf } from "../database/kysely.ts";
import { interruptRuns } from "./end-run.ts";
import { executeRun, type RunDeps } from "./run/execute-run.ts";
import type { RunRef } from "./run/run-writer.ts";

export const SYNC_RUN_JOB = "sync-run";
const RUNS_AT_ONCE = 8;
const DAY = 24 * 3600;
const SyncRunPayload = z.object({ runId: Id });

/**
 * Executes a queued run. The queue delivers a job again when its worker's heartbeats stop; a run is claimed once,
 * so a redelivered job ends what its former owner left running.
 */
export function syncRunJob(deps: RunDeps): Job {
  return {
    name: SYNC_RUN_JOB,
    workers: RUNS_AT_ONCE,
    pollSeconds: 4,
    heartbeatRefreshSeconds: 3,
    options: {
      retryLimit: 3,
      heartbeatSeconds: 15,
      expireInSeconds: 45 * 60,
      retentionSeconds: 14 * DAY,
      deleteAfterSeconds: 3600,
    },
    async handle(payload, { isRedelivery, signal }) {
      const { runId } = SyncRunPayload.parse(payload);
      const own = { ...deps, em: deps.em.fork() };
      const run = await claimRun(own, runId);
      if (run !== null) await executeRun(own, run, signal);
      else if (isRedelivery && (await interruptRuns(own, sql`id = ${runId}`)) > 0) {
        own.log.warn({ runId }, "sync run interrupted: its owner is gone");
      }
    },
  };
}

/** Null when the run is not queued any more. */
async function claimRun({ em, clock }: Pick<RunDeps, "em" | "clock">, id: string): Promise<RunRef | null> {
  const startedAt = clock.now();
  const run = await kyselyOf(em)
    .updateTable("sync_runs")
    .set({ status: "running", startedAt })
    .where("id", "=", id)
    .where("status", "=", "queued")
    .returning("configId")
    .executeTakeFirst();
  return run === undefined ? null : { runId: id, configId: run.configId, startedAt };
}
