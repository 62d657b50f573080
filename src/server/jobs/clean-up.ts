import type { EntityManager } from "@mikro-orm/postgresql";
import { KnownAddressEntity, LoginFailureEntity, SessionEntity } from "../auth/entity.ts";
import { KNOWN_ADDRESS_SECONDS, LONGEST_WINDOW_SECONDS } from "../auth/login-limit.ts";
import { restartFutureSessions } from "../auth/sessions.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import type { Job } from "../core/ports.ts";
import { removeOldEvents } from "../events/store.ts";
import { removeOldPartitions, removeOldRuns } from "../sync/retention.ts";

type CleanUpDeps = Pick<Deps, "clock" | "sessionLimits"> & { readonly em: EntityManager };

export function cleanUpJob({ em: shared, ...deps }: CleanUpDeps): Job {
  return {
    name: "clean-up",
    cron: "*/10 * * * *",
    pollSeconds: 10,
    async handle() {
      const em = shared.fork();
      const now = deps.clock.now();
      // What a clock that was ahead has stored is unknown, and would otherwise stay for as long as it was ahead.
      const latest = now + MAX_CLOCK_SKEW_SECONDS;
      await removeOldEvents({ ...deps, em });
      const isDead = [{ expiresAt: { $lte: now } }, { lastUsedAt: { $lte: now - deps.sessionLimits.idle } }];
      await em.nativeDelete(SessionEntity, { $or: isDead });
      await restartFutureSessions({ ...deps, em });
      const isOver = [
        { windowStartedAt: { $lte: now - LONGEST_WINDOW_SECONDS } },
        { windowStartedAt: { $gt: latest } },
      ];
      await em.nativeDelete(LoginFailureEntity, { $or: isOver });
      const isForgotten = [
        { lastSignedInAt: { $lte: now - KNOWN_ADDRESS_SECONDS } },
        { lastSignedInAt: { $gt: latest } },
      ];
      await em.nativeDelete(KnownAddressEntity, { $or: isForgotten });
      await removeOldRuns({ ...deps, em });
      await removeOldPartitions({ ...deps, em });
    },
  };
}
