import { MAX_NOTICES } from "../../../shared/notices.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { TransactionDeps } from "../../platform/database/transaction.ts";
import { lowestIdAt } from "../../platform/id-generator.ts";
import type { CleanUpTime } from "../../platform/retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../../platform/retention/delete-in-batches.ts";

/** How long a notice is kept, read or not, in seconds. */
const NOTICE_SECONDS = 180 * DAY_SECONDS;

/** Their ids carry the time, so the oldest are the first of the primary key. */
export async function removeOldNotices(
  deps: TransactionDeps,
  { asOf }: CleanUpTime,
): Promise<number> {
  const old = kyselyOf(deps.em)
    .selectFrom("notices")
    .select("id")
    .where("id", "<", lowestIdAt(asOf - NOTICE_SECONDS))
    .orderBy("id")
    .limit(BATCH_SIZE);

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("notices").where("id", "in", old),
  );
}

/** Those beyond the newest ones of each user. */
export async function removeSurplusNotices(deps: TransactionDeps): Promise<number> {
  const surplus = kyselyOf(deps.em)
    .selectFrom("users as u")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("notices as n")
          .select("n.id")
          .whereRef("n.userId", "=", "u.id")
          .orderBy("n.createdAt", "desc")
          .orderBy("n.seq", "desc")
          .offset(MAX_NOTICES)
          .limit(BATCH_SIZE)
          .as("older"),
      (join) => join.onTrue(),
    )
    .select("older.id")
    .limit(BATCH_SIZE);

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("notices").where("id", "in", surplus),
  );
}
