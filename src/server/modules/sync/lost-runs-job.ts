import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { type JobTables, LIVE_JOB_STATES } from "../../platform/jobs/job-tables.ts";
import type { SyncJobDeps } from "./deps.ts";
import { interruptRuns } from "./end-run.ts";
import { SYNC_RUN_JOB } from "./sync-job.ts";

/** From which age on a run without a job is lost, in seconds. */
const QUEUED_AGE_SECONDS = 10;
const RUNNING_AGE_SECONDS = 3_600;

export const LOST_RUNS_JOB = "lost-runs";

/** It calls no provider. */
type LostRunsDeps = Omit<SyncJobDeps, "secrets" | "outbound" | "callGates">;

/**
 * Ends runs that nobody else will end, because they keep their configuration from being synced.
 *
 * A run and its job are written in one transaction, and a job that has ended is never begun again.
 * So a queued run whose job is neither waiting nor active will never be claimed: the job failed for
 * good, or was deleted. A running one whose job has ended, or which never had one, has no owner.
 * While its job lives, the queue delivers that to another worker, and this one ends the run
 * (sync-job.ts).
 */
export function lostRunsJob({ em, ...deps }: LostRunsDeps): Job {
  return {
    name: LOST_RUNS_JOB,
    // A lost run has to be ended within a minute, and the schedule knows nothing finer than
    // minutes.
    cron: "* * * * *",
    repeatAfterSeconds: [20, 40],
    pollSeconds: 5,
    async handle() {
      const own = { ...deps, em: em.fork() };
      const now = await deps.databaseClock.now(own.em);
      const lost = await findLostRuns(own.em, now);
      const ended = await interruptRuns(own, "job.lost-runs", lost);
      if (ended > 0) deps.log.warn({ runs: ended }, "sync runs without a job interrupted");
    },
  };
}

/**
 * Runs and jobs are compared in one statement: between two, a job might pass from one worker to the
 * next. What it finds stays lost, so the runs may be ended by their ids afterwards.
 */
async function findLostRuns(em: SqlEntityManager, now: number): Promise<string[]> {
  const lost = await kyselyOf(em)
    .withTables<JobTables>()
    .selectFrom("sync_runs as r")
    .select("r.id")
    .where((eb) => {
      const jobs = eb
        .selectFrom("pgboss.job as j")
        .where("j.name", "=", SYNC_RUN_JOB)
        .where((job) =>
          job(job.ref("j.data", "->>").key("runId"), "=", job.cast<string>("r.id", "text")),
        );
      const liveJobs = jobs.where("j.state", "in", LIVE_JOB_STATES);

      // A run that began in the future would keep its configuration from being synced until then.
      const isOlderThan = (seconds: number) =>
        eb.or([
          eb("r.startedAt", "<=", now - seconds),
          eb("r.startedAt", ">", now + MAX_CLOCK_SKEW_SECONDS),
        ]);
      const hadJob = eb.exists(jobs);
      const isQueuedForGood = eb.and([
        eb("r.status", "=", "queued"),
        isOlderThan(QUEUED_AGE_SECONDS),
      ]);
      const isRunningAlone = eb.and([
        eb("r.status", "=", "running"),
        eb.or([isOlderThan(RUNNING_AGE_SECONDS), hadJob]),
      ]);
      return eb.and([eb.not(eb.exists(liveJobs)), eb.or([isQueuedForGood, isRunningAlone])]);
    })
    .execute();
  return lost.map(({ id }) => id);
}
