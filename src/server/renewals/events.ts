import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { isSuperAdmin } from "../../shared/roles.ts";
import { once } from "../core/once.ts";
import { kyselyOf } from "../database/kysely.ts";
import type { StoredEventOf } from "../events/event.ts";
import type { View } from "../events/view.ts";

type RenewalEvent = StoredEventOf<"renewal.created" | "renewal.processed" | "renewal.cancelled">;

/** Super admins, the client, and the client's admin see a renewal: the row scope of the list. */
export function viewRenewalEvent(em: SqlEntityManager, { type, data }: RenewalEvent): View {
  const readRenewal = once(async () => {
    const renewal = await kyselyOf(em)
      .selectFrom("renewals as r")
      .leftJoin("users as u", "u.id", "r.userId")
      .select(["r.status", "r.userId", "u.admin as adminId"])
      .where("r.id", "=", data.renewalId)
      .executeTakeFirst();
    if (renewal === undefined) return null;
    const { userId, adminId } = renewal;
    const { renewalId: id, status = renewal.status } = data;
    return { shown: { type, data: { id, status } }, recipients: [userId, adminId] };
  });
  return async ({ id, role }) => {
    const renewal = await readRenewal();
    return renewal !== null && (isSuperAdmin(role) || renewal.recipients.includes(id)) ? renewal.shown : null;
  };
}
