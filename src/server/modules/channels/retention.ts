import { DAY_SECONDS } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { TransactionDeps } from "../../platform/database/transaction.ts";
import { lowestIdAt } from "../../platform/id-generator.ts";
import type { CleanUpTime } from "../../platform/retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../../platform/retention/delete-in-batches.ts";

/** As long as the ledger of reminders, which shows them. */
const DELIVERY_SECONDS = 400 * DAY_SECONDS;

/**
 * Removes deliveries that were queued more than 400 days ago. Their ids carry the time, so the
 * oldest are the first of the primary key.
 */
export async function removeOldDeliveries(
  deps: TransactionDeps,
  { asOf }: CleanUpTime,
): Promise<number> {
  const old = kyselyOf(deps.em)
    .selectFrom("notice_deliveries")
    .select("id")
    .where("id", "<", lowestIdAt(asOf - DELIVERY_SECONDS))
    .orderBy("id")
    .limit(BATCH_SIZE);

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("notice_deliveries").where("id", "in", old),
  );
}
