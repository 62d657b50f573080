import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { MAX_CLOCK_SKEW_SECONDS } from "../../../platform/clock.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import { anyOf } from "../../../platform/database/sql.ts";
import type { Schedule, ScheduledRun } from "./schedule.ts";

/** More than can double the wait or pause the schedule, with room for runs that say nothing. */
const RUNS_READ = 20;

/** The schedules of these configurations, or of all. */
export async function findSchedules(
  em: SqlEntityManager,
  configIds?: readonly string[],
): Promise<Schedule[]> {
  let configs = kyselyOf(em)
    .selectFrom("configs")
    .select([
      "id as configId",
      "syncIntervalMinutes as intervalMinutes",
      "isActive",
      "scheduleChosenAt as chosenAt",
      "scheduleResumedAt as resumedAt",
    ])
    .orderBy("id");
  if (configIds !== undefined) configs = configs.where("id", "=", anyOf(configIds));
  return await configs.execute();
}

/**
 * The newest runs of each configuration, the newest first. One walk of an index each.
 *
 * The configuration is compared as a range, here and wherever else the newest runs of each
 * configuration are read. With an equality PostgreSQL walks the primary key, which has the order, and
 * skips the runs of all other configurations: the whole table for one that has no such run. The range,
 * and an order that begins with the configuration, leave only the index of its runs.
 */
export async function findNewestRuns(
  em: SqlEntityManager,
  configIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ScheduledRun[]>> {
  const runs = await kyselyOf(em)
    .selectFrom("configs as c")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("sync_runs as r")
          .select((run) => [
            "r.id",
            "r.configId",
            "r.trigger",
            "r.status",
            "r.queuedAt",
            run.ref("r.errors", "->").at(0).key("code").$castTo<string | null>().as("errorCode"),
            run
              .ref("r.errors", "->")
              .at(0)
              .key("message")
              .$castTo<string | null>()
              .as("errorMessage"),
          ])
          .whereRef("r.configId", ">=", "c.id")
          .whereRef("r.configId", "<=", "c.id")
          .orderBy("r.configId")
          .orderBy("r.id", "desc")
          .limit(RUNS_READ)
          .as("run"),
      (join) => join.onTrue(),
    )
    .where("c.id", "=", anyOf(configIds))
    .selectAll("run")
    .orderBy("run.id", "desc")
    .execute();
  return Map.groupBy(runs, ({ configId }) => configId);
}

/**
 * When the last successful run of each configuration ended, in Unix seconds. An end that lies in
 * the future was written by a clock that was wrong: the success before it is taken.
 */
export async function findLastSuccesses(
  em: SqlEntityManager,
  configIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number | null>> {
  const successes = await kyselyOf(em)
    .selectFrom("configs as c")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("sync_runs as r")
          .select(["r.configId", "r.finishedAt"])
          .whereRef("r.configId", ">=", "c.id")
          .whereRef("r.configId", "<=", "c.id")
          .where("r.status", "in", ["succeeded", "partial"])
          .where("r.finishedAt", "<=", now + MAX_CLOCK_SKEW_SECONDS)
          .orderBy("r.configId")
          .orderBy("r.id", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .where("c.id", "=", anyOf(configIds))
    .selectAll("last")
    .execute();
  return new Map(successes.map(({ configId, finishedAt }) => [configId, finishedAt]));
}
