import type { EntityManager } from "@mikro-orm/postgresql";
import {
  removeEndedSessions,
  removeOldAddresses,
  removeOldLoginFailures,
} from "../modules/auth/retention.ts";
import { restartFutureSessions } from "../modules/auth/sessions.ts";
import { recordMissingActs } from "../modules/history-records/record-missing-acts.ts";
import { removeOldHostChanges } from "../modules/history-records/retention.ts";
import { removeOldPartitions, removeOldRuns } from "../modules/sync/retention.ts";
import { isDatabaseUnavailable } from "../platform/database/errors.ts";
import { inTransaction } from "../platform/database/transaction.ts";
import type { Deps } from "../platform/deps.ts";
import { removeOldEvents } from "../platform/events/store.ts";
import type { Job } from "../platform/jobs/job.ts";
import { type CleanUpTime, takeCleanUpTime } from "../platform/retention/clean-up-time.ts";

export const CLEAN_UP_JOB = "clean-up";

type CleanUpDeps = Pick<Deps, "actor" | "bus" | "databaseClock" | "log" | "sessionLimits"> & {
  readonly em: EntityManager;
};

interface Step {
  readonly name: string;
  run(deps: CleanUpDeps, time: CleanUpTime): Promise<void>;
}

const STEPS: readonly Step[] = [
  { name: "events", run: removeOldEvents },
  { name: "ended sessions", run: removeEndedSessions },
  {
    name: "sessions of the future",
    run: (deps, time) => inTransaction(deps, (em) => restartFutureSessions({ ...deps, em }, time)),
  },
  { name: "failed sign-ins", run: removeOldLoginFailures },
  { name: "known addresses", run: removeOldAddresses },
  { name: "sync runs", run: removeOldRuns },
  { name: "changes of hosts", run: removeOldHostChanges },
  { name: "partitions", run: removeOldPartitions },
  { name: "acts of the version before", run: recordMissingActs },
];

/**
 * Removes what is kept no longer. Each step is for itself: one that fails keeps nothing else from
 * being removed. A run that was not complete ends as failed, which the metrics of the queue show.
 */
export function cleanUpJob({ em: shared, ...deps }: CleanUpDeps): Job {
  return {
    name: CLEAN_UP_JOB,
    cron: "*/10 * * * *",
    pollSeconds: 10,
    async handle() {
      const own = { ...deps, em: shared.fork() };
      const time = await takeCleanUpTime(own);

      const failures = new Map<string, unknown>();
      for (const { name, run } of STEPS) {
        await run(own, time).catch((error: unknown) => {
          const level = isDatabaseUnavailable(error) ? "warn" : "error";
          deps.log[level]({ err: error, step: name }, "clean-up step failed");
          failures.set(name, error);
        });
      }

      if (failures.size > 0) {
        const [cause] = failures.values();
        throw new Error(`not cleaned up: ${[...failures.keys()].join(", ")}`, { cause });
      }
      if (time.asOf < time.present) throw new Error("not cleaned up to the present: held back");
    },
  };
}
