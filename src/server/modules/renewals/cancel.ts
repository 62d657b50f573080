import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { IdInput, Nothing } from "../../../shared/ids.ts";
import { OPEN_RENEWAL_STATUSES } from "../../../shared/renewal-status.ts";
import { RENEWAL_TRANSITIONS } from "../../../shared/renewals.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { appendEvents } from "../../platform/events/append.ts";
import type { StoredEvent } from "../../platform/events/event.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { alreadyDecided } from "./queries.ts";

/** The client withdraws a request that is still to be decided. */
export async function cancelRenewal(
  { clock, ...deps }: Pick<Deps, "em" | "bus" | "clock">,
  caller: Caller,
  { id }: IdInput,
): Promise<Nothing> {
  return await inTransaction(deps, async (em) => {
    const which = { id, userId: caller.id };
    const cancelled = await cancel(em, "withdrawn", which, clock.now());
    if (cancelled === 0) throw await alreadyDecided({ em, clock }, caller, { id });
    return {};
  });
}

interface TakenBack {
  readonly host?: string;
  readonly userId?: string;
}

/**
 * Cancels the open requests of hosts that are taken back, and returns their number. The caller has
 * locked or ended their assignments. `at` in Unix seconds.
 */
export async function cancelOpenRenewals(
  em: SqlEntityManager,
  which: TakenBack,
  at: number,
): Promise<number> {
  return await cancel(em, "takenBack", which, at);
}

/** For those who lock something else before they cancel: hosts and events come after renewals. */
export async function lockOpenRenewals(em: SqlEntityManager, which: TakenBack): Promise<void> {
  await kyselyOf(em)
    .selectFrom("renewals")
    .select("id")
    .where((eb) => eb.and(which))
    .where("status", "in", OPEN_RENEWAL_STATUSES)
    .orderBy("id")
    .forUpdate()
    .execute();
}

async function cancel(
  em: SqlEntityManager,
  act: "withdrawn" | "takenBack",
  which: TakenBack & { readonly id?: string },
  at: number,
): Promise<number> {
  const { from, to: status } = RENEWAL_TRANSITIONS[act];
  const cancelled = await kyselyOf(em)
    .updateTable("renewals")
    // Who approved a request has not cancelled it.
    .set({ status, processedAt: at, processedBy: null, processedByName: null })
    .where((eb) => eb.and(which))
    .where("status", "in", from)
    .returning("id")
    .execute();

  const events = cancelled.map(
    ({ id }): StoredEvent => ({ type: "renewal.cancelled", data: { renewalId: id, status } }),
  );
  await appendEvents(em, events, at);
  return cancelled.length;
}
