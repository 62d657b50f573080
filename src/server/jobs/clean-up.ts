import type { MikroORM } from "@mikro-orm/postgresql";
import { removeDeadSignIns } from "../auth/clean-up.ts";
import type { Deps } from "../core/deps.ts";
import { removeOldEvents } from "../events/store.ts";
import type { Job } from "./job.ts";

/** Removes events that nobody can resume from any more, ended sessions and old failed sign-ins. */
export function cleanUpJob({ orm, ...deps }: CleanUpDeps): Job {
  return {
    name: "clean-up",
    cron: "*/10 * * * *",
    pollSeconds: 10,
    async handle() {
      const em = orm.em.fork();
      await removeOldEvents({ ...deps, em });
      await removeDeadSignIns({ ...deps, em });
    },
  };
}

export type CleanUpDeps = Pick<Deps, "clock" | "sessionLimits"> & { readonly orm: MikroORM };
