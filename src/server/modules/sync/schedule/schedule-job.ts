import { inTransaction } from "../../../platform/database/transaction.ts";
import type { Job } from "../../../platform/jobs/job.ts";
import { ConfigEntity } from "../../provider-configs/entity.ts";
import { lockConfig } from "../../provider-configs/locks.ts";
import type { SyncDeps, SyncJobDeps } from "../deps.ts";
import { findLiveRun, queueRun } from "../start-run.ts";
import { readScheduleState } from "./pause.ts";
import { findNewestRuns, findSchedules } from "./queries.ts";
import { isDue, scheduleState } from "./schedule.ts";

export const SCHEDULE_JOB = "schedule";

/**
 * Starts a run of every configuration whose schedule is due. The queue delivers this job to one
 * replica a minute. Should two of them handle it at once, the lock of the configuration decides:
 * who comes second finds the run of the first, and the slot is not due any more.
 */
export function scheduleJob({ em, ...deps }: SyncJobDeps): Job {
  return {
    name: SCHEDULE_JOB,
    cron: "* * * * *",
    pollSeconds: 5,
    async handle(_payload, { jobs }) {
      const own = { ...deps, jobs, em: em.fork() };
      for (const configId of await findDueConfigs(own)) {
        // What keeps one configuration from being synced must not keep the others.
        await startIfDue(own, configId).catch((error: unknown) => {
          deps.log.error({ err: error, configId }, "a scheduled sync could not be started");
        });
      }
    },
  };
}

async function findDueConfigs({ em, databaseClock }: SyncDeps): Promise<string[]> {
  const now = await databaseClock.now(em);
  const schedules = await findSchedules(em);
  const runs = await findNewestRuns(
    em,
    schedules.map(({ configId }) => configId),
    now,
  );

  return schedules
    .filter((schedule) => {
      const state = scheduleState(schedule, runs.get(schedule.configId) ?? [], now);
      return isDue(state, now);
    })
    .map(({ configId }) => configId);
}

/** Decides again under the lock of the configuration, which every start of a run takes. */
async function startIfDue(deps: SyncDeps, configId: string): Promise<void> {
  await inTransaction(deps, async (em) => {
    const config = await lockConfig(em, configId);
    const now = await deps.databaseClock.now(em);
    const state = await readScheduleState(em, configId, now);
    if (!isDue(state, now)) return;
    if ((await findLiveRun(em, configId)) !== null) return;

    await em.nativeUpdate(
      ConfigEntity,
      { id: configId, isAccessUntried: true },
      { isAccessUntried: false },
    );
    await queueRun(
      { ...deps, em },
      {
        configId,
        configName: config.name,
        trigger: "schedule",
        requestedBy: null,
      },
    );
  });
}
