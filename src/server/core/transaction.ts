import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Deps } from "./deps.ts";

const MAX_TRIES = 4;

/**
 * One transaction per change, its events inside. Await nothing in it but its own `em`: on the embedded database every other
 * connection waits meanwhile. A deadlock is tried again from the start, so `change` must have no effects outside of `em`.
 */
export async function inTransaction<Result>(
  deps: Pick<Deps, "em" | "notices">,
  change: (em: SqlEntityManager) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await deps.em.fork().transactional((em) => change(em));
      deps.notices.emit("events.appended");
      return result;
    } catch (error) {
      if (attempt >= MAX_TRIES || !isWorthRetrying(error)) throw error;
    }
  }
}

/** Deadlock, serialization failure, lock time-out: by SQLSTATE, because queries through Kysely fail with the driver's own errors. */
const RETRIED = new Set(["40P01", "40001", "55P03"]);

function isWorthRetrying(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && RETRIED.has(error.code);
}
