import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { appendEvent } from "../../platform/events/append.ts";
import type { EventPresenter, StoredEventOf } from "../../platform/events/event.ts";

/** How many hosts an event names. With more, reading it would cost more than it saves. */
export const MAX_NAMED_HOSTS = 1_000;

const HOSTS_CHANGED = { type: "hosts.changed", data: {} } as const;

type HostsChanged = StoredEventOf<"hosts.changed">;
type AssignmentChanged = StoredEventOf<"assignment.changed">;

/** One client's assignment of one host began, changed or ended. `configId` may be null; `at` in Unix seconds. */
export async function publishAssignmentEvents(
  em: SqlEntityManager,
  {
    hostId,
    userId,
    configId,
  }: { readonly hostId: string; readonly userId: string; readonly configId: string | null },
  at: number,
): Promise<void> {
  await publishHostEvents(em, { configId, hostIds: [hostId], userId }, at);
  await appendEvent(em, { type: "assignment.changed", data: { hostId, userId } }, at);
}

/** Rows of hosts were written, or who sees them changed. No hosts, no event. `at` in Unix seconds. */
export async function publishHostEvents(
  em: SqlEntityManager,
  data: HostsChanged["data"],
  at: number,
): Promise<void> {
  if (data.hostIds.length > 0) await appendHostsChanged(em, data, at);
}

/** Super admins are told also when no host is named. `at` in Unix seconds. */
export async function appendHostsChanged(
  em: SqlEntityManager,
  data: HostsChanged["data"],
  at: number,
): Promise<void> {
  const areTooMany = data.hostIds.length > MAX_NAMED_HOSTS;
  const stored = areTooMany ? { ...data, hostIds: [], areTooMany } : data;
  await appendEvent(em, { type: "hosts.changed", data: stored }, at);
}

/** Super admins see every change; clients and admins those of hosts in their row scope. Only super admins see the configuration. */
export async function presentHostsChanged(
  em: SqlEntityManager,
  { data }: HostsChanged,
  now: number,
): Promise<EventPresenter> {
  const { configId, userId, formerAdminId, areTooMany = false } = data;
  const forSuperAdmins =
    configId === null ? HOSTS_CHANGED : ({ type: "hosts.changed", data: { configId } } as const);
  if (areTooMany && userId === undefined)
    return ({ role }) => (isSuperAdmin(role) ? forSuperAdmins : HOSTS_CHANGED);
  const recipients = await readRecipients(em, data, now);
  return ({ id, role }) => {
    if (isSuperAdmin(role)) return forSuperAdmins;
    return id === formerAdminId || recipients.has(id) ? HOSTS_CHANGED : null;
  };
}

/** Also for those who lost the assignment. A client whose assignment never began refetches its list: the host's id is hidden. */
export async function presentAssignmentChanged(
  em: SqlEntityManager,
  { data: { hostId, userId } }: AssignmentChanged,
  now: number,
): Promise<EventPresenter> {
  const shown = { type: "assignment.changed", data: { hostId } } as const;
  const { rows } = await sql<{ adminId: string | null; isSeenByClient: boolean | null }>`
    select u.admin_id as "adminId", (
      select a.assigned_at <= coalesce(a.ended_at, ${now}) from assignments a
      where a.host_id = ${hostId} and a.user_id = u.id order by a.ended_at is null desc, a.id desc limit 1
    ) as "isSeenByClient"
    from users u where u.id = ${userId}
  `.execute(em.getKysely());
  const [assignment] = rows;
  return ({ id, role }) => {
    if (id === userId) return assignment?.isSeenByClient === false ? HOSTS_CHANGED : shown;
    return isSuperAdmin(role) || id === assignment?.adminId ? shown : null;
  };
}

async function readRecipients(
  em: SqlEntityManager,
  { hostIds, userId, areTooMany = false }: HostsChanged["data"],
  now: number,
): Promise<ReadonlySet<string | null>> {
  const { rows } = await sql<{ id: string | null }>`
    select distinct unnest(array[c.admin_id, case when a.assigned_at <= ${now} then c.id end]) as id
    from assignments a join users c on c.id = a.user_id
    where (${areTooMany} or a.host_id = any(${hostIds}::uuid[]))
      and a.ended_at is null and a.user_id = coalesce(${userId ?? null}, a.user_id)
  `.execute(em.getKysely());
  return new Set(rows.map(({ id }) => id));
}
