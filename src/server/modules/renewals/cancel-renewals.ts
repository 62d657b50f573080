import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { IdInput, Nothing } from "../../../shared/ids.ts";
import { RENEWAL_TRANSITIONS } from "../../../shared/renewals.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { type ActContext, recordHostActs } from "../history-records/record-acts.ts";
import type { RenewalsDeps } from "./deps.ts";
import { publishCancelledRenewals } from "./events.ts";
import { lockOpenRenewals, type RenewalsOf } from "./locks.ts";
import { alreadyDecided, getRenewal } from "./queries.ts";

/** The client withdraws a renewal that is still to be decided. */
export async function cancelRenewal(
  deps: RenewalsDeps,
  caller: Caller,
  { id }: IdInput,
): Promise<Nothing> {
  const at = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const { host } = await getRenewal({ ...deps, em }, caller, { id });
    const subject = { type: "host", id: host.id, label: host.name } as const;
    noteSubject(deps, subject);

    const which = { id, userId: caller.id };
    const cancelledIds = await cancel(em, "withdrawn", which, { actor: deps.actor, at });
    if (cancelledIds.length === 0) throw await alreadyDecided({ ...deps, em }, caller, { id });

    const record = {
      action: "renewals.cancel",
      subject,
      changes: [
        { field: "user", from: caller.name, to: caller.name },
        { field: "status", from: "pending", to: RENEWAL_TRANSITIONS.withdrawn.to },
      ],
    } as const;
    await recordAudit({ ...deps, em }, record, at);
    await publishCancelledRenewals(em, cancelledIds, at);
    return {};
  });
}

/**
 * Cancels the open renewals of hosts that are taken back, and returns their ids, which the caller
 * publishes. It has locked or ended their assignments.
 */
export async function cancelOpenRenewals(
  em: SqlEntityManager,
  which: RenewalsOf,
  context: ActContext,
): Promise<readonly string[]> {
  await lockOpenRenewals(em, which);
  return await cancel(em, "takenBack", which, context);
}

async function cancel(
  em: SqlEntityManager,
  transition: "withdrawn" | "takenBack",
  which: RenewalsOf & { readonly id?: string },
  context: ActContext,
): Promise<readonly string[]> {
  const { from, to: status } = RENEWAL_TRANSITIONS[transition];
  const cancelled = await kyselyOf(em)
    .updateTable("renewals")
    // Who approved a renewal has not cancelled it.
    .set({ status, processedAt: context.at, processedBy: null, processedByName: null })
    .where((eb) => eb.and(which))
    .where("status", "in", from)
    .returning(["id", "assignment"])
    .execute();

  const acts = cancelled.map(
    ({ id, assignment }) =>
      ({ kind: "renewal_cancelled", assignmentId: assignment, renewalId: id }) as const,
  );
  await recordHostActs(em, acts, context);
  return cancelled.map(({ id }) => id);
}
