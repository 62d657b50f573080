import type { EntityManager } from "@mikro-orm/postgresql";
import type { Deps } from "../core/deps.ts";

const MAX_ATTEMPTS = 4;
/** SQLSTATE of deadlock, serialization failure and lock timeout. */
const RETRIED = new Set(["40P01", "40001", "55P03"]);

/**
 * Runs one change with its events in one transaction. Await nothing in it but its own `em`: the embedded database has one connection.
 * A deadlock restarts it, so `change` must have no effects outside of `em`.
 */
export async function inTransaction<Result>(
  { em, bus }: Pick<Deps, "em" | "bus">,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const result = await retryOnDeadlock(() =>
    // MikroORM's own `transactional` loses a pool connection that dies inside it; Kysely's releases it.
    em
      .fork()
      .getKysely()
      .transaction()
      .execute(async (transaction) => {
        const inside = em.fork();
        inside.setTransactionContext(transaction);
        const value = await change(inside);
        await inside.flush();
        return value;
      }),
  );
  bus.emit("events.appended");
  return result;
}

async function retryOnDeadlock<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts >= MAX_ATTEMPTS || !isRetried(error)) throw error;
    }
  }
}

function isRetried(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && RETRIED.has(error.code);
}
