import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { REMOVAL_WINDOW_SECONDS, type RemovalWindow } from "./absence.ts";

/** Counts a configuration's hosts for `isMassRemoval`. `now` in Unix seconds. */
export async function readRemovalWindow(
  em: SqlEntityManager,
  configId: string,
  now: number,
): Promise<RemovalWindow> {
  const start = now - REMOVAL_WINDOW_SECONDS;
  const latest = now + MAX_CLOCK_SKEW_SECONDS;
  return await kyselyOf(em)
    .selectFrom("hosts")
    .where("config", "=", configId)
    .where((eb) => {
      const isPresent = eb("goneAt", "is", null);
      const isRemovedSince = eb("goneAt", ">", start).and("goneAt", "<=", latest);
      return eb.or([isPresent, isRemovedSince.and("removalConfirmedAt", "is", null)]);
    })
    .select((eb) => [
      eb.fn
        .countAll<number>()
        // Of a time in the future nothing is known: the host is not taken for a new one.
        .filterWhere(eb.or([eb("presentSince", "<=", start), eb("presentSince", ">", latest)]))
        .as("presentAtStart"),
      eb.fn.countAll<number>().filterWhere("goneAt", "is not", null).as("removed"),
      eb.fn.countAll<number>().filterWhere("goneAt", "is", null).as("present"),
    ])
    .executeTakeFirstOrThrow();
}
