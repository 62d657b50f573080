import { DAY_SECONDS } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { TransactionDeps } from "../../platform/database/transaction.ts";
import type { CleanUpTime } from "../../platform/retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../../platform/retention/delete-in-batches.ts";

/** How long a run is kept after its end, in seconds. */
const RUN_SECONDS = 90 * DAY_SECONDS;
/** This many runs of each configuration are kept, however old they are. */
const RUNS_OF_CONFIG = 50;
/** How long a partition is remembered that is read no more and has no present host, in seconds. */
const PARTITION_SECONDS = 90 * DAY_SECONDS;

/**
 * Removes runs that ended more than 90 days ago, but of each configuration neither the last 50 nor
 * the last success, with and without problems: the age of the last success, what the console says
 * of it, and the alert on it are read from those runs, however old they are. Of a deleted
 * configuration nothing is kept for longer. A live run has no end, so it stays.
 */
export async function removeOldRuns(deps: TransactionDeps, { asOf }: CleanUpTime): Promise<number> {
  const endedBefore = asOf - RUN_SECONDS;

  const old = kyselyOf(deps.em)
    .selectFrom("sync_runs as r")
    .leftJoin("configs as c", "c.id", "r.configId")
    .where("r.finishedAt", "<", endedBefore)
    .where((eb) => {
      const newest = eb
        .selectFrom("sync_runs as n")
        .select("n.id")
        .whereRef("n.configId", "=", "r.configId")
        .orderBy("n.id", "desc")
        .limit(1);
      const isBeyondTheLast = eb("r.id", "<", newest.offset(RUNS_OF_CONFIG - 1));
      const lastComplete = newest.where("n.status", "=", "succeeded");
      const lastSuccess = newest.where("n.status", "in", ["succeeded", "partial"]);
      const isNeither = eb.and([
        eb("r.id", "is distinct from", lastComplete),
        eb("r.id", "is distinct from", lastSuccess),
      ]);
      return eb.or([eb("c.id", "is", null), eb.and([isBeyondTheLast, isNeither])]);
    })
    .select("r.id")
    .limit(BATCH_SIZE);

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("sync_runs").where("id", "in", old),
  );
}

/**
 * Removes partitions that no run has read completely for 90 days: their project or region is not
 * listed any more. One that still has present hosts stays, since it says when those were last
 * confirmed.
 */
export async function removeOldPartitions(
  deps: TransactionDeps,
  { asOf }: CleanUpTime,
): Promise<number> {
  const old = kyselyOf(deps.em)
    .selectFrom("sync_partitions as p")
    .select(["p.config", "p.projectId", "p.region"])
    .where("p.readAt", "<", asOf - PARTITION_SECONDS)
    .where((eb) => {
      const presentHosts = eb
        .selectFrom("hosts as h")
        .whereRef("h.config", "=", "p.config")
        .whereRef("h.projectId", "=", "p.projectId")
        .whereRef("h.region", "=", "p.region")
        .where("h.goneAt", "is", null);
      return eb.not(eb.exists(presentHosts));
    })
    .limit(BATCH_SIZE);

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em)
      .deleteFrom("sync_partitions")
      .where((eb) => {
        const key = eb.refTuple("config", "projectId", "region");
        return eb(key, "in", old.$asTuple("config", "projectId", "region"));
      }),
  );
}
