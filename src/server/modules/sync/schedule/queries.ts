import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { ExpressionBuilder } from "kysely";
import { MAX_CLOCK_SKEW_SECONDS } from "../../../platform/clock.ts";
import { kyselyOf, type Tables } from "../../../platform/database/kysely.ts";
import { anyOf } from "../../../platform/database/sql.ts";
import { PROJECTS_REFUSED, REGIONS_REFUSED } from "../run-errors.ts";
import { BELIEVED_AHEAD_SECONDS, type Schedule, type ScheduledRun } from "./schedule.ts";

/**
 * As many as say how long to wait: each of the failures that lengthen it may be followed by some
 * interruptions.
 */
const RUNS_READ = 40;

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
      "isAccessUntried",
    ])
    .orderBy("id");
  if (configIds !== undefined) configs = configs.where("id", "=", anyOf(configIds));
  return await configs.execute();
}

/**
 * The runs that say how it stands with the schedule of each configuration, the newest first: the
 * last one that was started by anybody, and the last ones that were scheduled or successful.
 * Between these may lie any number of others, such as runs by hand that fail.
 *
 * They are sorted by the database's clock and not by their ids, which bear the time of the process
 * that made them. Runs of a future that is not believed are left out: they would hide all others.
 */
export async function findNewestRuns(
  em: SqlEntityManager,
  configIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, readonly ScheduledRun[]>> {
  const last = await selectNewestRuns(em, configIds, { now, which: "all", limit: 1 });
  const outcomes = await selectNewestRuns(em, configIds, {
    now,
    which: "outcomes",
    limit: RUNS_READ,
  });

  // The last one may be an outcome, too; it keeps its place before the others.
  const runs = new Map([...last, ...outcomes].map((run) => [run.id, run]));
  return Map.groupBy(runs.values(), ({ configId }) => configId);
}

interface RunSelection {
  readonly now: number;
  /** `outcomes`: successes, and what became of scheduled runs. */
  readonly which: "all" | "outcomes";
  readonly limit: number;
}

async function selectNewestRuns(
  em: SqlEntityManager,
  configIds: readonly string[],
  { now, which, limit }: RunSelection,
) {
  return await kyselyOf(em)
    .selectFrom("configs as c")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("sync_runs as r")
          .select(["r.id", "r.configId", "r.trigger", "r.status", "r.queuedAt", "r.finishedAt"])
          .select((run) => [
            causeOf(run, "code").as("errorCode"),
            causeOf(run, "message").as("errorMessage"),
          ])
          .whereRef("r.configId", "=", "c.id")
          .where("r.queuedAt", "<=", now + BELIEVED_AHEAD_SECONDS)
          .$if(which === "outcomes", (query) =>
            query.where((run) =>
              run.or([
                run("r.status", "in", ["succeeded", "partial"]),
                run("r.trigger", "=", "schedule"),
              ]),
            ),
          )
          .orderBy("r.queuedAt", "desc")
          .orderBy("r.id", "desc")
          .limit(limit)
          .as("run"),
      (join) => join.onTrue(),
    )
    .where("c.id", "=", anyOf(configIds))
    .selectAll("run")
    .orderBy("run.queuedAt", "desc")
    .orderBy("run.id", "desc")
    .execute();
}

/** A key without permissions is refused these lists first, and then what is read without them. */
const IS_CAUSE = [REGIONS_REFUSED, PROJECTS_REFUSED]
  .map(({ code }) => `@.code != "${code}"`)
  .join(" && ");

function causeOf(
  run: ExpressionBuilder<Tables & { r: Tables["sync_runs"] }, "r">,
  field: "code" | "message",
) {
  const path = `$[*] ? (${IS_CAUSE}).${field}`;
  const cause = run.fn<string | null>("jsonb_path_query_first", ["r.errors", run.val(path)]);
  return run.case().when("r.status", "=", "failed").then(cause).end();
}

/**
 * When the last successful run of each configuration ended, in Unix seconds. With an end in the
 * future a configuration would not be stale until then: the success before it is taken.
 *
 * The configuration is compared as a range, here and wherever else runs are read by their ids. With
 * an equality PostgreSQL walks the primary key, which has the order, and skips the runs of all other
 * configurations: the whole table for one that has no such run. The range, and an order that begins
 * with the configuration, leave only the index of its runs.
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
