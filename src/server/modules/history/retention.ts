import type { DeleteResult } from "kysely";
import { v7 as newId } from "uuid";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";

/** How long a change of a host is kept, in seconds. */
const CHANGE_SECONDS = 400 * DAY_SECONDS;
/** A tenth of a second each, or less. */
const BATCH_SIZE = 2_000;

/**
 * Removes old changes of hosts, in transactions that are short enough for others. Their ids carry
 * the time, so the oldest are the first of the primary key.
 */
export async function removeOldHostChanges(
  deps: Pick<Deps, "em" | "bus" | "clock">,
): Promise<void> {
  const keptSince = deps.clock.now() - CHANGE_SECONDS;
  const firstKept = newId({ msecs: keptSince * 1_000, seq: 0, random: new Uint8Array(16) });
  const old = kyselyOf(deps.em)
    .selectFrom("host_changes")
    .select("id")
    .where("id", "<", firstKept)
    .orderBy("id")
    .limit(BATCH_SIZE);

  let removed: DeleteResult;
  do {
    removed = await inTransaction(deps, (em) =>
      kyselyOf(em).deleteFrom("host_changes").where("id", "in", old).executeTakeFirst(),
    );
  } while (removed.numDeletedRows === BigInt(BATCH_SIZE));
}
