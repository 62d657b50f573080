import type { AuditDeps } from "../modules/audit-records/deps.ts";
import { countChanges } from "../modules/audit-records/field-changes.ts";
import { recordAudit } from "../modules/audit-records/record-audit.ts";
import { removeOldAuditEntries } from "../modules/audit-records/retention.ts";
import {
  removeEndedChallenges,
  removeEndedSessions,
  removeExpiredTokens,
  removeOldAddresses,
  removeOldLoginFailures,
} from "../modules/auth/retention.ts";
import { restartFutureSessions } from "../modules/auth/sessions.ts";
import { removeOldDeliveries } from "../modules/channels/retention.ts";
import { recordMissingActs } from "../modules/history-records/record-missing-acts.ts";
import { removeOldHostChanges } from "../modules/history-records/retention.ts";
import { removeOldNotices, removeSurplusNotices } from "../modules/notice-records/retention.ts";
import { removeOldReminderHosts, removeOldReminders } from "../modules/reminders/retention.ts";
import { removeOldPartitions, removeOldRuns } from "../modules/sync/retention.ts";
import { isDatabaseUnavailable } from "../platform/database/errors.ts";
import { inTransaction } from "../platform/database/transaction.ts";
import type { Deps } from "../platform/deps.ts";
import { removeOldEvents } from "../platform/events/store.ts";
import type { Job } from "../platform/jobs/job.ts";
import { type CleanUpTime, takeCleanUpTime } from "../platform/retention/clean-up-time.ts";

export const CLEAN_UP_JOB = "clean-up";

type CleanUpDeps = AuditDeps &
  Pick<Deps, "auditRetention" | "bus" | "databaseClock" | "sessionLimits">;

interface Step {
  readonly name: string;
  /** Returns how many rows it has removed. */
  run(deps: CleanUpDeps, time: CleanUpTime): Promise<number>;
}

const STEPS: readonly Step[] = [
  { name: "events", run: removeOldEvents },
  { name: "ended sessions", run: removeEndedSessions },
  { name: "ended challenges", run: removeEndedChallenges },
  {
    name: "sessions of the future",
    async run(deps, time) {
      await inTransaction(deps, (em) => restartFutureSessions({ ...deps, em }, time));
      return 0;
    },
  },
  { name: "expired API tokens", run: removeExpiredTokens },
  { name: "failed sign-ins", run: removeOldLoginFailures },
  { name: "known addresses", run: removeOldAddresses },
  { name: "sync runs", run: removeOldRuns },
  { name: "changes of hosts", run: removeOldHostChanges },
  { name: "hosts of reminders", run: removeOldReminderHosts },
  { name: "reminders", run: removeOldReminders },
  { name: "deliveries", run: removeOldDeliveries },
  { name: "partitions", run: removeOldPartitions },
  { name: "old notices", run: removeOldNotices },
  { name: "surplus notices", run: removeSurplusNotices },
  { name: "audit log", run: removeOldAuditEntries },
  {
    name: "acts of the version before",
    async run(deps) {
      await recordMissingActs(deps);
      return 0;
    },
  },
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
      let removedRows = 0;
      for (const { name, run } of STEPS) {
        try {
          removedRows += await run(own, time);
        } catch (error) {
          const level = isDatabaseUnavailable(error) ? "warn" : "error";
          deps.log[level]({ err: error, step: name }, "clean-up step failed");
          failures.set(name, error);
        }
      }
      await recordCleanUp(own, removedRows, time);

      if (failures.size > 0) {
        const [cause] = failures.values();
        throw new Error(`not cleaned up: ${[...failures.keys()].join(", ")}`, { cause });
      }
      if (time.asOf < time.present) throw new Error("not cleaned up to the present: held back");
    },
  };
}

/** Rows are removed in many transactions, and the entry after the last of them. */
async function recordCleanUp(
  deps: CleanUpDeps,
  removedRows: number,
  { present }: CleanUpTime,
): Promise<void> {
  const changes = countChanges({ removedRows });
  if (changes.length === 0) return;

  await inTransaction(deps, (em) =>
    recordAudit({ ...deps, em }, { action: "job.clean-up", changes }, present),
  );
}
