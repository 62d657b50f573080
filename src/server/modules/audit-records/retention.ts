import { kyselyOf } from "../../platform/database/kysely.ts";
import type { TransactionDeps } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import type { CleanUpTime } from "../../platform/retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../../platform/retention/delete-in-batches.ts";

/** Removes old entries. Nothing else does. */
export async function removeOldAuditEntries(
  deps: TransactionDeps & Pick<Deps, "auditRetention">,
  { asOf }: CleanUpTime,
): Promise<number> {
  const old = kyselyOf(deps.em)
    .selectFrom("audit_entries")
    .select("id")
    .where("at", "<", asOf - deps.auditRetention)
    .orderBy("at")
    .orderBy("seq")
    .limit(BATCH_SIZE);

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("audit_entries").where("id", "in", old),
  );
}
