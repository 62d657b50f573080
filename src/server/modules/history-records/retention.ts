import { DAY_SECONDS } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { TransactionDeps } from "../../platform/database/transaction.ts";
import { lowestIdAt } from "../../platform/id-generator.ts";
import type { CleanUpTime } from "../../platform/retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../../platform/retention/delete-in-batches.ts";

/** How long a change of a host is kept, in seconds. */
const CHANGE_SECONDS = 400 * DAY_SECONDS;

/**
 * Removes old changes of hosts. Their ids carry the time, so the oldest are the first of the
 * primary key.
 */
export async function removeOldHostChanges(
  deps: TransactionDeps,
  { asOf }: CleanUpTime,
): Promise<number> {
  const keptSince = asOf - CHANGE_SECONDS;
  const old = kyselyOf(deps.em)
    .selectFrom("host_changes")
    .select("id")
    .where("id", "<", lowestIdAt(keptSince))
    .orderBy("id")
    .limit(BATCH_SIZE);

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("host_changes").where("id", "in", old),
  );
}
