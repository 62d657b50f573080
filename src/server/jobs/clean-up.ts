import type { EntityManager } from "@mikro-orm/postgresql";
import { KnownAddressEntity, LoginFailureEntity, SessionEntity } from "../auth/entity.ts";
import { KNOWN_ADDRESS_SECONDS, LONGEST_WINDOW_SECONDS } from "../auth/login-limit.ts";
import { restartFutureSessions } from "../auth/sessions.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import type { Job } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { removeOldEvents } from "../events/store.ts";
import { removeOldPartitions, removeOldRuns } from "../sync/retention.ts";

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
      // What a clock that was ahead has stored is unknown, and would otherwise stay for as long as it was ahead.
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
      await inTransaction(own, (em) => removeOldPartitions({ ...deps, em }));
    },
  };
}
