import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { appendEvents, type StoredEvent } from "../events/append.ts";

/** Pending requests of an assignment that ends have nothing left to renew. */
export async function cancelRenewalsOfAssignment(
  em: SqlEntityManager,
  { hostId, userId, at }: { readonly hostId: string; readonly userId: string; readonly at: number },
): Promise<void> {
  const cancelled = await em.execute<{ id: string }[]>(
    "update renewals set status = 'cancelled', processed_at = ? where host_id = ? and user_id = ? and status = 'pending' returning id",
    [at, hostId, userId],
  );
  await tellOfCancelled(em, cancelled, at);
}

/** A removed user's pending requests end; the decided ones stay as history. Comes before the user's assignments end. */
export async function cancelRenewalsOfUser(
  em: SqlEntityManager,
  { userId, at }: { readonly userId: string; readonly at: number },
): Promise<void> {
  await em.execute("select 1 from assignments where user_id = ? and ended_at is null order by id for no key update", [
    userId,
  ]);
  const cancelled = await em.execute<{ id: string }[]>(
    "update renewals set status = 'cancelled', processed_at = ? where user_id = ? and status = 'pending' returning id",
    [at, userId],
  );
  await tellOfCancelled(em, cancelled, at);
}

async function tellOfCancelled(em: SqlEntityManager, cancelled: readonly { id: string }[], at: number): Promise<void> {
  const events = cancelled.map(({ id }): StoredEvent => ({ type: "renewal.cancelled", data: { renewalId: id } }));
  await appendEvents(em, events, at);
}
