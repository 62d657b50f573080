import { DAY_SECONDS } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { TransactionDeps } from "../../platform/database/transaction.ts";
import { lowestIdAt } from "../../platform/id-generator.ts";
import type { CleanUpTime } from "../../platform/retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../../platform/retention/delete-in-batches.ts";

/** How long the ledger is kept, in seconds. */
const LEDGER_SECONDS = 400 * DAY_SECONDS;

/** Before their reminders, which would stand there without hosts no longer than a clean-up takes. */
export async function removeOldReminderHosts(
  deps: TransactionDeps,
  { asOf }: CleanUpTime,
): Promise<number> {
  const old = kyselyOf(deps.em)
    .selectFrom("reminder_hosts")
    .select("id")
    .where("id", "<", lowestIdAt(asOf - LEDGER_SECONDS))
    .orderBy("id")
    .limit(BATCH_SIZE);

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("reminder_hosts").where("id", "in", old),
  );
}

export async function removeOldReminders(
  deps: TransactionDeps,
  { asOf }: CleanUpTime,
): Promise<number> {
  const old = kyselyOf(deps.em)
    .selectFrom("reminders")
    .select("id")
    .where("id", "<", lowestIdAt(asOf - LEDGER_SECONDS))
    .orderBy("id")
    .limit(BATCH_SIZE);

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("reminders").where("id", "in", old),
  );
}
