import type { EntityManager } from "@mikro-orm/postgresql";
import { KnownAddressEntity, LoginFailureEntity, SessionEntity } from "../modules/auth/entity.ts";
import { KNOWN_ADDRESS_SECONDS } from "../modules/auth/known-addresses.ts";
import { LONGEST_WINDOW_SECONDS } from "../modules/auth/login-limit.ts";
import { restartFutureSessions } from "../modules/auth/sessions.ts";
import { recordMissingActs } from "../modules/history/record-missing-acts.ts";
import { removeOldHostChanges } from "../modules/history/retention.ts";
import { removeOldPartitions, removeOldRuns } from "../modules/sync/retention.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../platform/clock.ts";
import { inTransaction } from "../platform/database/transaction.ts";
import type { Deps } from "../platform/deps.ts";
import { removeOldEvents } from "../platform/events/store.ts";
import type { Job } from "../platform/jobs/job.ts";

export const CLEAN_UP_JOB = "clean-up";

type CleanUpDeps = Pick<Deps, "actor" | "bus" | "clock" | "sessionLimits"> & {
  readonly em: EntityManager;
};

export function cleanUpJob({ em: shared, ...deps }: CleanUpDeps): Job {
  return {
    name: CLEAN_UP_JOB,
    cron: "*/10 * * * *",
    pollSeconds: 10,
    async handle() {
      const own = { ...deps, em: shared.fork() };
      const now = deps.clock.now();
      // What a clock that was ahead has stored is unknown, and would otherwise stay for as long as
      // it was ahead.
      const latest = now + MAX_CLOCK_SKEW_SECONDS;

      await inTransaction(own, (em) => removeOldEvents({ ...deps, em }));

      const isDead = [
        { expiresAt: { $lte: now } },
        { lastUsedAt: { $lte: now - deps.sessionLimits.idle } },
      ];
      await inTransaction(own, (em) => em.nativeDelete(SessionEntity, { $or: isDead }));
      await inTransaction(own, (em) => restartFutureSessions({ ...deps, em }));

      const isOver = [
        { windowStartedAt: { $lte: now - LONGEST_WINDOW_SECONDS } },
        { windowStartedAt: { $gt: latest } },
      ];
      await inTransaction(own, (em) => em.nativeDelete(LoginFailureEntity, { $or: isOver }));

      const isForgotten = [
        { lastSignedInAt: { $lte: now - KNOWN_ADDRESS_SECONDS } },
        { lastSignedInAt: { $gt: latest } },
      ];
      await inTransaction(own, (em) => em.nativeDelete(KnownAddressEntity, { $or: isForgotten }));

      await removeOldRuns(own);
      await removeOldHostChanges(own);
      await recordMissingActs(own);
      await inTransaction(own, (em) => removeOldPartitions({ ...deps, em }));
    },
  };
}
