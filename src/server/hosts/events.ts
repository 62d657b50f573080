import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { StreamEvent } from "../../shared/events.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "../events/append.ts";
import type { OpenEm } from "../events/presenters.ts";
import { isAnyHostVisible } from "./scope.ts";

export type StoredHostEvent = Extract<StoredEvent, { type: "hosts.changed" | "assignment.changed" }>;

/** What the caller may learn of this event now, null for nothing. `now` in Unix seconds. */
export async function presentHostEvent(
  openEm: OpenEm,
  caller: Pick<Caller, "id" | "role">,
  stored: StoredHostEvent,
  now: number,
): Promise<StreamEvent | null> {
  switch (stored.type) {
    case "hosts.changed":
      return await presentHostsChanged(openEm, caller, stored.data, now);
    case "assignment.changed":
      return await presentAssignmentChanged(openEm, caller, stored.data, now);
  }
}

async function presentHostsChanged(
  openEm: OpenEm,
  { id, role }: Pick<Caller, "id" | "role">,
  { configId, hostIds }: Extract<StoredHostEvent, { type: "hosts.changed" }>["data"],
  now: number,
): Promise<StreamEvent | null> {
  if (role === "super_admin") return { type: "hosts.changed", data: configId === null ? {} : { configId } };
  return (await isAnyHostVisible(openEm(), { id, role, now }, hostIds)) ? { type: "hosts.changed", data: {} } : null;
}

/** An assignment that has ended is told as well: its client and their admin are the ones who must let go of the row. */
async function presentAssignmentChanged(
  openEm: OpenEm,
  caller: Pick<Caller, "id" | "role">,
  { hostId, userId }: Extract<StoredHostEvent, { type: "assignment.changed" }>["data"],
  now: number,
): Promise<StreamEvent | null> {
  const told: StreamEvent = { type: "assignment.changed", data: { hostId } };
  switch (caller.role) {
    case "super_admin":
      return told;
    case "admin":
      // Named itself, it has lost the client; the host may be none of its business any more.
      if (caller.id === userId) return { type: "hosts.changed", data: {} };
      return (await isResponsibleFor(openEm(), caller.id, userId)) ? told : null;
    case "client":
      if (caller.id !== userId) return null;
      // A host whose period was moved into the future must vanish, yet one that was never seen must not be named.
      return (await isStillToCome(openEm(), { hostId, userId, now })) ? { type: "hosts.changed", data: {} } : told;
  }
}

async function isResponsibleFor(em: SqlEntityManager, adminId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users where id = ${userId} and admin_id = ${adminId}
  `.execute(em.getKysely());
  return rows.length > 0;
}

async function isStillToCome(
  em: SqlEntityManager,
  { hostId, userId, now }: { readonly hostId: string; readonly userId: string; readonly now: number },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from assignments
    where host_id = ${hostId} and user_id = ${userId} and ended_at is null and assigned_at > ${now}
  `.execute(em.getKysely());
  return rows.length > 0;
}
