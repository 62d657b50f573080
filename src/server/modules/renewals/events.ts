import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { event } from "../../../shared/events.ts";
import { Id } from "../../../shared/ids.ts";
import { RenewalStatus } from "../../../shared/renewal-status.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { appendEvent, appendEvents } from "../../platform/events/append.ts";
import type { EventPresenter, StoredEvent } from "../../platform/events/event.ts";

/** The status after the event; older rows have none. */
const RenewalReference = z.object({ renewalId: Id, status: RenewalStatus.optional() });

export const RenewalCreated = event("renewal.created", RenewalReference);
export const RenewalProcessed = event("renewal.processed", RenewalReference);
export const RenewalCancelled = event("renewal.cancelled", RenewalReference);

type RenewalEvent = z.infer<
  typeof RenewalCreated | typeof RenewalProcessed | typeof RenewalCancelled
>;

/** `at` in Unix seconds, as below. */
export async function publishRenewalCreated(
  em: SqlEntityManager,
  renewalId: string,
  at: number,
): Promise<void> {
  const data = { renewalId, status: "pending" } as const;
  await appendEvent(em, { type: "renewal.created", data }, at);
}

export async function publishRenewalProcessed(
  em: SqlEntityManager,
  data: z.infer<typeof RenewalReference>,
  at: number,
): Promise<void> {
  await appendEvent(em, { type: "renewal.processed", data }, at);
}

export async function publishCancelledRenewals(
  em: SqlEntityManager,
  ids: readonly string[],
  at: number,
): Promise<void> {
  const events = ids.map(
    (renewalId): StoredEvent => ({
      type: "renewal.cancelled",
      data: { renewalId, status: "cancelled" },
    }),
  );
  await appendEvents(em, events, at);
}

/** Super admins, the client, and the client's admin see a renewal: the row scope of the list. */
export async function presentRenewalEvent(
  em: SqlEntityManager,
  { type, data }: RenewalEvent,
): Promise<EventPresenter> {
  const renewal = await kyselyOf(em)
    .selectFrom("renewals as r")
    .leftJoin("users as u", "u.id", "r.userId")
    .select(["r.status", "r.userId", "u.admin as adminId"])
    .where("r.id", "=", data.renewalId)
    .executeTakeFirst();
  if (renewal === undefined) return () => null;

  const { renewalId, status = renewal.status } = data;
  const shown = { type, data: { id: renewalId, status } };

  return ({ id, role }) =>
    isSuperAdmin(role) || id === renewal.userId || id === renewal.adminId ? shown : null;
}
