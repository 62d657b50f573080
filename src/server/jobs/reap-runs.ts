import type { MikroORM } from "@mikro-orm/postgresql";
import type { Deps } from "../core/deps.ts";
import { reapExpired } from "../sync/reap.ts";
import type { Job } from "./job.ts";

/** Frees configurations whose sync died with its process. */
export function reapRunsJob({ orm, ...deps }: ReapRunsDeps): Job {
  return {
    name: "reap-runs",
    cron: "* * * * *",
    pollSeconds: 10,
    async handle() {
      await reapExpired({ ...deps, em: orm.em.fork() });
    },
  };
}

export type ReapRunsDeps = Pick<Deps, "clock" | "bus" | "metrics" | "log"> & { readonly orm: MikroORM };
