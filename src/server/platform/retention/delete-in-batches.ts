import type { EntityManager } from "@mikro-orm/postgresql";
import type { DeleteResult } from "kysely";
import { inTransaction, type TransactionDeps } from "../database/transaction.ts";

/** Rows that one transaction removes: some tenths of a second, for which others may wait. */
export const BATCH_SIZE = 1_000;

/**
 * Removes rows in short transactions, until one finds less than a batch. `deleteBatch` builds the
 * statement, which removes `BATCH_SIZE` rows at most. Returns how many rows it removed.
 */
export async function deleteInBatches(
  deps: TransactionDeps,
  deleteBatch: (em: EntityManager) => { executeTakeFirst(): Promise<DeleteResult> },
): Promise<number> {
  let removed = 0;
  for (;;) {
    const batch = await inTransaction(deps, (em) => deleteBatch(em).executeTakeFirst());
    const rows = Number(batch.numDeletedRows);
    removed += rows;
    if (rows < BATCH_SIZE) return removed;
  }
}
