import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { publishNoticesCreated } from "./events.ts";

type BatchDeps = Pick<Deps, "em" | "bus" | "clock" | "log">;

/**
 * Does several acts of one call, whose notices are one for each user and type (`notify-users.ts`).
 * Their events are sent at the end, when the notices say the final number. Should that fail, the
 * acts are done and the notices are in their inboxes, and nobody is told of it at once.
 */
export async function withSharedNotices<Own extends BatchDeps, Result>(
  deps: Own,
  act: (deps: Own & { readonly batchId: string }) => Promise<Result>,
): Promise<Result> {
  const batchId = newId();
  const result = await act({ ...deps, batchId });

  try {
    await inTransaction(deps, (em) => publishSharedNotices(em, batchId, deps.clock.now()));
  } catch (error) {
    deps.log.warn({ err: error, batchId }, "the events of new notices were not published");
  }
  return result;
}

/** Of all users. `at` in Unix seconds. */
export async function publishSharedNotices(
  em: SqlEntityManager,
  batchId: string,
  at: number,
): Promise<void> {
  const notices = await kyselyOf(em)
    .selectFrom("notices")
    .select(["id", "userId", "type", "severity", "title"])
    .where("batchId", "=", batchId)
    .orderBy("id")
    .execute();
  await publishNoticesCreated(em, notices, at);
}
