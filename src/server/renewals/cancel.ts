import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { IdInput, Nothing } from "../../shared/ids.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { kyselyOf } from "../database/kysely.ts";
import { inTransaction } from "../database/transaction.ts";
import { appendEvents } from "../events/append.ts";
import type { StoredEvent } from "../events/event.ts";
import { alreadyDecided } from "./queries.ts";

export async function cancelRenewal(
  { clock, ...deps }: Pick<Deps, "em" | "bus" | "clock">,
  caller: Caller,
  { id }: IdInput,
): Promise<Nothing> {
  return inTransaction(deps, async (em) => {
    const cancelled = await cancelPending(em, { id, userId: caller.id }, clock.now());
    if (cancelled === 0) throw await alreadyDecided({ em, clock }, caller, { id });
    return {};
  });
}

/** Cancels pending requests whose assignments the caller has locked, and returns their number. `at` in Unix seconds. */
export async function cancelPending(
  em: SqlEntityManager,
  which: { readonly id?: string; readonly host?: string; readonly userId?: string },
  at: number,
): Promise<number> {
  const cancelled = await kyselyOf(em)
    .updateTable("renewals")
    .set({ status: "cancelled", processedAt: at })
    .where((eb) => eb.and({ ...which, status: "pending" }))
    .returning("id")
    .execute();
  const type = "renewal.cancelled";
  const events = cancelled.map(({ id }): StoredEvent => ({ type, data: { renewalId: id, status: "cancelled" } }));
  await appendEvents(em, events, at);
  return cancelled.length;
}
