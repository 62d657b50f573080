import type { EntityManager } from "@mikro-orm/postgresql";
import { type SqlBool, sql } from "kysely";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { interruptRuns } from "./end-run.ts";
import { SYNC_RUN_JOB } from "./sync-job.ts";

/** From which age on a run without a job is lost, in seconds. */
const QUEUED_AGE_SECONDS = 10;
const RUNNING_AGE_SECONDS = 3_600;

export const LOST_RUNS_JOB = "lost-runs";

type LostRunsDeps = Pick<Deps, "actor" | "clock" | "bus" | "metrics" | "log"> & {
  readonly em: EntityManager;
};

/**
 * Ends runs that nobody else will end, because they keep their configuration from being synced.
 *
 * A run and its job are written in one transaction, and a job that has ended is never begun again. So a
 * queued run whose job is neither waiting nor active will never be claimed: the job failed for good, or
 * was deleted. A running one whose job has ended, or which never had one, has no owner. While its job
 * lives, the queue delivers that to another worker, and this one ends the run (sync-job.ts). Runs and
 * jobs are compared in one statement: between two, a job might pass from one worker to the next.
 */
export function lostRunsJob({ em, ...deps }: LostRunsDeps): Job {
  return {
    name: LOST_RUNS_JOB,
    // A lost run has to be ended within a minute, and the schedule knows nothing finer than minutes.
    cron: "* * * * *",
    repeatAfterSeconds: [20, 40],
    pollSeconds: 5,
    async handle() {
      const isLost = hasNoOwner(deps.clock.now());
      const ended = await interruptRuns({ ...deps, em: em.fork() }, isLost);
      if (ended > 0) deps.log.warn({ runs: ended }, "sync runs without a job interrupted");
    },
  };
}

function hasNoOwner(now: number) {
  const jobs = sql`
    select from pgboss.job j where j.name = ${SYNC_RUN_JOB} and j.data->>'runId' = sync_runs.id::text`;
  // A start in the future was written by a clock that was wrong: it says nothing about the age.
  const isOlderThan = (seconds: number) => sql<SqlBool>`
    (started_at <= ${now - seconds} or started_at > ${now + MAX_CLOCK_SKEW_SECONDS})`;
  return sql<SqlBool>`
    not exists (${jobs} and j.state < 'completed')
    and (
      (status = 'queued' and ${isOlderThan(QUEUED_AGE_SECONDS)})
      or (status = 'running' and (${isOlderThan(RUNNING_AGE_SECONDS)} or exists (${jobs})))
    )`;
}
