import type { EntityManager } from "@mikro-orm/postgresql";
import type { Deps } from "../deps.ts";
import { isReadOnly } from "./errors.ts";

const MAX_ATTEMPTS = 4;
/** SQLSTATE of deadlock and serialization failure. */
const RETRIED = new Set(["40P01", "40001"]);

/**
 * Runs one change with its events in one transaction. A deadlock restarts `change`: it may await
 * and change only its own `em`.
 */
export async function inTransaction<Result>(
  { em, bus }: Pick<Deps, "em" | "bus">,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      const result = await runOnce(em, change);
      bus.emit("events.appended");
      return result;
    } catch (error) {
      if (isReadOnly(error)) bus.emit("database.read-only");
      const isRetried =
        error instanceof Error && "code" in error && RETRIED.has(String(error.code));
      if (!isRetried || attempts >= MAX_ATTEMPTS) throw error;
    }
  }
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
