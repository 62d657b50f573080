import type { EntityManager } from "@mikro-orm/postgresql";
import type { Deps } from "../deps.ts";

const MAX_ATTEMPTS = 4;
/** SQLSTATE of deadlock and serialization failure. */
const RETRIED = new Set(["40P01", "40001"]);

/**
 * Runs one change with its events in one transaction. A deadlock restarts `change`: it may await
 * and change only its own `em`. That of a job waits for its turn among those of all jobs.
 */
export async function inTransaction<Result>(
  { em, bus, transactionTurns = atOnce }: Pick<Deps, "em" | "bus" | "transactionTurns">,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      const result = await transactionTurns(() => runOnce(em, change));
      bus.emit("events.appended");
      return result;
    } catch (error) {
      const isRetried =
        error instanceof Error && "code" in error && RETRIED.has(String(error.code));
      if (!isRetried || attempts >= MAX_ATTEMPTS) throw error;
    }
  }
}

function atOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  return work();
}

/**
 * MikroORM's own `transactional` loses a pool connection that dies inside it; Kysely's releases it.
 */
async function runOnce<Result>(
  em: EntityManager,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const transaction = em.fork().getKysely().transaction();
  return await transaction.execute(async (context) => {
    const inside = em.fork();
    inside.setTransactionContext(context);
    const value = await change(inside);
    await inside.flush();
    return value;
  });
}
