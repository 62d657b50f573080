import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { DeliveryRow } from "../channels/entity.ts";
import { publishChannelChanged } from "../channels/events.ts";
import type { SendOutcome } from "../channels/message.ts";
import type { ClaimedDelivery } from "./claim-delivery.ts";
import type { DeliveriesDeps } from "./deps.ts";
import { isLastTry, LONGEST_WAIT, waitAfter } from "./retry-waits.ts";

/** `skipped`: nothing was sent, because there was nobody or nothing to send it to. */
export type DeliveryOutcome = SendOutcome | { readonly kind: "skipped"; readonly error: string };

type Decision = Pick<DeliveryRow, "status"> &
  Partial<
    Pick<DeliveryRow, "attempts" | "error" | "groupMessage" | "lastAttemptAt" | "nextAttemptAt">
  >;

/** Of a delivery that is never tried again. What it would have said is not kept. */
export const NO_NEXT_TRY = { nextAttemptAt: null, groupMessage: null } as const;

/**
 * Writes what became of a try, unless another worker has claimed the delivery since. Answers the
 * status that it has now.
 */
export async function decideDelivery(
  deps: DeliveriesDeps,
  delivery: ClaimedDelivery,
  outcome: DeliveryOutcome,
): Promise<DeliveryRow["status"]> {
  return await inTransaction(deps, async (em) => {
    const now = await deps.databaseClock.now(em);
    const isPausing = outcome.kind === "retry" || outcome.kind === "refused";
    if (isPausing && outcome.pauseSeconds !== undefined) {
      await pauseChannel(em, delivery.channelId, now + pauseOf(outcome.pauseSeconds));
    }

    const decision = decide(delivery, outcome, now);
    const { numUpdatedRows } = await kyselyOf(em)
      .updateTable("notice_deliveries")
      .set(decision)
      .where("id", "=", delivery.id)
      .where("status", "=", "queued")
      .where("attempts", "=", delivery.attempts)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) {
      await publishChannelChanged(em, delivery.channelId, deps.clock.now());
    }
    return decision.status;
  });
}

function decide(
  { attempts, createdAt, formerAttemptAt }: ClaimedDelivery,
  outcome: DeliveryOutcome,
  now: number,
): Decision {
  switch (outcome.kind) {
    case "sent":
      return { status: "sent", ...NO_NEXT_TRY, error: null };
    case "refused":
    case "undeliverable":
      return { status: "failed", ...NO_NEXT_TRY, error: outcome.error };
    case "skipped": {
      // No try was made.
      const withoutTry = { attempts: attempts - 1, lastAttemptAt: formerAttemptAt };
      return { status: "skipped", ...NO_NEXT_TRY, error: outcome.error, ...withoutTry };
    }
    case "retry": {
      const { error } = outcome;
      const nextAttemptAt = now + waitAfter(attempts);
      if (isLastTry(createdAt, nextAttemptAt, now)) {
        return { status: "failed", ...NO_NEXT_TRY, error };
      }
      return { status: "queued", nextAttemptAt, error };
    }
  }
}

/** Another side may ask for any pause. */
function pauseOf(seconds: number): number {
  return Math.min(seconds, LONGEST_WAIT);
}

async function pauseChannel(em: SqlEntityManager, id: string, pausedUntil: number): Promise<void> {
  await kyselyOf(em)
    .updateTable("notice_channels")
    .set({ pausedUntil })
    .where("id", "=", id)
    .execute();
}
