import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { IdInput, Nothing } from "../../../shared/ids.ts";
import { OPEN_RENEWAL_STATUSES } from "../../../shared/renewal-status.ts";
import { RENEWAL_TRANSITIONS } from "../../../shared/renewals.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { recordHostActs } from "../history-records/record-acts.ts";
import { publishCancelledRenewals } from "./events.ts";
import { alreadyDecided } from "./queries.ts";

/** The client withdraws a request that is still to be decided. */
export async function cancelRenewal(
  { clock, ...deps }: Pick<Deps, "actor" | "em" | "bus" | "clock">,
  caller: Caller,
  { id }: IdInput,
): Promise<Nothing> {
  const now = clock.now();
  return await inTransaction(deps, async (em) => {
    const which = { id, userId: caller.id };
    const cancelledIds = await cancel(deps, em, "withdrawn", which, now);
    if (cancelledIds.length === 0) throw await alreadyDecided({ em, clock }, caller, { id });

    await publishCancelledRenewals(em, cancelledIds, now);
    return {};
  });
}

interface TakenBack {
  readonly host?: string;
  readonly userId?: string;
}

/**
 * Cancels the open requests of hosts that are taken back, and returns their ids, which the caller
 * publishes. It has locked or ended their assignments. `at` in Unix seconds.
 */
export async function cancelOpenRenewals(
  deps: Pick<Deps, "actor">,
  em: SqlEntityManager,
  which: TakenBack,
  at: number,
): Promise<readonly string[]> {
  await lockOpenRenewals(em, which);
  return await cancel(deps, em, "takenBack", which, at);
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
  deps: Pick<Deps, "actor">,
  em: SqlEntityManager,
  transition: "withdrawn" | "takenBack",
  which: TakenBack & { readonly id?: string },
  at: number,
): Promise<readonly string[]> {
  const { from, to: status } = RENEWAL_TRANSITIONS[transition];
  const cancelled = await kyselyOf(em)
    .updateTable("renewals")
    // Who approved a request has not cancelled it.
    .set({ status, processedAt: at, processedBy: null, processedByName: null })
    .where((eb) => eb.and(which))
    .where("status", "in", from)
    .returning(["id", "assignment"])
    .execute();

  const acts = cancelled.map(
    ({ id, assignment }) =>
      ({ kind: "renewal_cancelled", assignmentId: assignment, renewalId: id }) as const,
  );
  await recordHostActs(deps, em, acts, at);
  return cancelled.map(({ id }) => id);
}
