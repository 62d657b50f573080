import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { isSuperAdmin } from "../../shared/roles.ts";
import { kyselyOf } from "../database/kysely.ts";
import type { StoredEventOf } from "../events/event.ts";
import { once, type View } from "../events/present.ts";

const HOSTS_CHANGED = { type: "hosts.changed", data: {} } as const;

type HostsChanged = StoredEventOf<"hosts.changed">;
type AssignmentChanged = StoredEventOf<"assignment.changed">;

/** Super admins see every change; clients and admins those of hosts in their row scope. Only super admins see the configuration. */
export function viewHostsChanged(em: SqlEntityManager, { data }: HostsChanged, now: number): View {
  const { configId, formerAdminId } = data;
  const forSuperAdmins = configId === null ? HOSTS_CHANGED : ({ type: "hosts.changed", data: { configId } } as const);
  const recipients = once(() => readRecipients(em, data, now));
  return async ({ id, role }) => {
    if (isSuperAdmin(role)) return forSuperAdmins;
    return id === formerAdminId || (await recipients()).has(id) ? HOSTS_CHANGED : null;
  };
}

/**
 * Those who lost the assignment receive it too: they must drop the row. A client is not named a host that it never saw, because the
 * assignment has not begun or ended before it did; it refetches its list instead.
 */
export function viewAssignmentChanged(em: SqlEntityManager, { data }: AssignmentChanged, now: number): View {
  const { hostId, userId, formerAdminId } = data;
  const shown = { type: "assignment.changed", data: { hostId } } as const;
  const readAssignment = once(async () => {
    const db = kyselyOf(em);
    const last = await db
      .selectFrom("assignments as a")
      .select(["a.assignedAt", "a.endedAt"])
      .where("a.host", "=", hostId)
      .where("a.userId", "=", userId)
      .orderBy(sql`a.ended_at is null`, "desc")
      .orderBy("a.id", "desc")
      .executeTakeFirst();
    const user = await db.selectFrom("users as u").select("u.admin").where("u.id", "=", userId).executeTakeFirst();
    return {
      adminId: formerAdminId ?? user?.admin,
      isSeenByClient: last === undefined || last.assignedAt <= (last.endedAt ?? now),
    };
  });
  return async ({ id, role }) => {
    if (isSuperAdmin(role)) return shown;
    if (id !== userId && role === "client") return null;
    const { adminId, isSeenByClient } = await readAssignment();
    if (id === userId) return isSeenByClient ? shown : HOSTS_CHANGED;
    return id === adminId ? shown : null;
  };
}

/** Clients who see one of the hosts, and their admins. With `userId` only by that client's assignments. */
async function readRecipients(
  em: SqlEntityManager,
  { hostIds, userId }: HostsChanged["data"],
  now: number,
): Promise<ReadonlySet<string | null>> {
  const rows = await kyselyOf(em)
    .selectFrom("assignments as a")
    .innerJoin("users as c", "c.id", "a.userId")
    .select(["a.userId", "c.admin as adminId", "a.assignedAt"])
    .where("a.host", "=", sql<string>`any(${hostIds}::uuid[])`)
    .where("a.endedAt", "is", null)
    .$if(userId !== undefined, (query) => query.where("a.userId", "=", userId ?? ""))
    .execute();
  return new Set(rows.flatMap(({ userId, adminId, assignedAt }) => [adminId, assignedAt <= now ? userId : null]));
}
