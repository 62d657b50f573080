import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { removeDeadSignIns } from "../auth/clean-up.ts";
import type { Deps } from "../core/deps.ts";
import type { Job } from "../core/ports.ts";
import { removeOldEvents } from "../events/store.ts";
import { interruptRuns } from "../sync/end-run.ts";

/** Twice the time that a run may take. */
const LOST_RUN_SECONDS = 3_600;

type CleanUpDeps = Pick<Deps, "clock" | "bus" | "metrics" | "sessionLimits"> & { readonly em: EntityManager };

/** Removes events that are too old to replay, dead sessions and old failed sign-ins; ends runs that nobody ended. */
export function cleanUpJob({ em, ...deps }: CleanUpDeps): Job {
  return {
    name: "clean-up",
    cron: "*/10 * * * *",
    pollSeconds: 10,
    async handle() {
      const own = { ...deps, em: em.fork() };
      await removeOldEvents(own);
      await removeDeadSignIns(own);
      await interruptRuns(own, sql`started_at < ${deps.clock.now() - LOST_RUN_SECONDS}`);
    },
  };
}
