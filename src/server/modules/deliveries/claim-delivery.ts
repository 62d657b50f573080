import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { DeliveryRow } from "../channels/entity.ts";
import { publishChannelChanged } from "../channels/events.ts";
import type { GroupMessage } from "../channels/group-message.ts";
import { type ChannelSetup, openSetup } from "../channels/sealed-config.ts";
import { NO_NEXT_TRY } from "./decide-delivery.ts";
import type { DeliveriesDeps } from "./deps.ts";
import { isDue, isPaused } from "./due.ts";
import { secondsUntilNext } from "./pace.ts";
import { RETRIED_FOR, waitAfter } from "./retry-waits.ts";

export interface ClaimedDelivery
  extends Pick<DeliveryRow, "id" | "channelId" | "batchId" | "type" | "createdAt"> {
  readonly noticeId: string | null;
  /** Null for an e-mail. */
  readonly groupMessage: GroupMessage | null;
  /** This try included. */
  readonly attempts: number;
  /** Of the try before; null before the first one. */
  readonly formerAttemptAt: number | null;
  readonly setup: ChannelSetup;
}

export type Claim =
  | { readonly kind: "claimed"; readonly delivery: ClaimedDelivery }
  /** The channel has sent as much as it may. */
  | { readonly kind: "full"; readonly seconds: number }
  | { readonly kind: "nothing" };

const NOTHING = { kind: "nothing" } as const;

/**
 * Takes the delivery of the channel that has been due for longest. What is claimed is due again
 * after its wait, whatever becomes of this process: a crash repeats the one message that was under
 * way, with the same id, and loses none. The number of tries is the fencing token: who was frozen
 * and comes back finds another one and writes nothing (`decideDelivery`).
 */
export async function claimDelivery(deps: DeliveriesDeps, channelId: string): Promise<Claim> {
  return await inTransaction(deps, async (em) => {
    const now = await deps.databaseClock.now(em);
    const channel = await lockChannelForClaim(em, channelId, now);
    if (channel === undefined || !channel.isActive) {
      await skipQueued(deps, em, channelId, channel === undefined ? "渠道已删除" : "渠道已停用");
      return NOTHING;
    }
    await failOverdue(deps, em, channelId, now);
    if (channel.isPaused) return NOTHING;

    const due = await lockDue(em, channelId, now);
    if (due === undefined) return NOTHING;

    const seconds = await secondsUntilNext(em, channel, now);
    if (seconds > 0) return { kind: "full", seconds };

    const attempts = due.attempts + 1;
    await kyselyOf(em)
      .updateTable("notice_deliveries")
      .set({ attempts, lastAttemptAt: now, nextAttemptAt: now + waitAfter(attempts) })
      .where("id", "=", due.id)
      .execute();

    const { lastAttemptAt: formerAttemptAt, ...delivery } = due;
    const setup = openSetup(deps, channel);
    return { kind: "claimed", delivery: { ...delivery, attempts, formerAttemptAt, setup } };
  });
}

/** One claim at a time, so that the pace is exact. */
async function lockChannelForClaim(em: SqlEntityManager, channelId: string, now: number) {
  return await kyselyOf(em)
    .selectFrom("notice_channels as c")
    .select(["c.id", "c.type", "c.isActive", "c.configSealed"])
    .select((eb) => isPaused(eb, now).as("isPaused"))
    .where("c.id", "=", channelId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

async function lockDue(em: SqlEntityManager, channelId: string, now: number) {
  return await kyselyOf(em)
    .selectFrom("notice_deliveries as d")
    .select(["d.id", "d.channelId", "d.batchId", "d.noticeId", "d.type", "d.createdAt"])
    .select(["d.groupMessage", "d.attempts", "d.lastAttemptAt"])
    .where("d.channelId", "=", channelId)
    .where((eb) => isDue(eb, now))
    .orderBy("d.nextAttemptAt")
    .orderBy("d.id")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * After an outage of more than a day nobody wants to hear what was queued before it. It would also
 * be tried before everything new, because it has been due for longest.
 */
async function failOverdue(
  { clock }: DeliveriesDeps,
  em: SqlEntityManager,
  channelId: string,
  now: number,
): Promise<void> {
  const { numUpdatedRows } = await kyselyOf(em)
    .updateTable("notice_deliveries")
    .set((eb) => ({
      ...NO_NEXT_TRY,
      status: "failed",
      error: eb.fn.coalesce("error", eb.val("超过 24 小时没有发送")),
    }))
    .where("channelId", "=", channelId)
    .where("status", "=", "queued")
    .where("createdAt", "<", now - RETRIED_FOR)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await publishChannelChanged(em, channelId, clock.now());
}

/** Nothing that waits for this channel is ever sent, also if it is switched on again. */
async function skipQueued(
  { clock }: DeliveriesDeps,
  em: SqlEntityManager,
  channelId: string,
  error: string,
): Promise<void> {
  const { numUpdatedRows } = await kyselyOf(em)
    .updateTable("notice_deliveries")
    .set({ ...NO_NEXT_TRY, status: "skipped", error })
    .where("channelId", "=", channelId)
    .where("status", "=", "queued")
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await publishChannelChanged(em, channelId, clock.now());
}
