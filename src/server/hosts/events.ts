import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { StreamEvent } from "../../shared/events.ts";
import { isSuperAdmin } from "../../shared/roles.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "../events/append.ts";
import { createAudience, type Viewers } from "../events/audience.ts";
import type { PresenterDeps } from "../events/presenters.ts";
import { findViewersOf } from "./find-viewers.ts";

type Stored<Type extends StoredEvent["type"]> = Extract<StoredEvent, { type: Type }>;
type HostsChanged = Stored<"hosts.changed">["data"];
type AssignmentChanged = Stored<"assignment.changed">["data"];
type Listener = Pick<Caller, "id" | "role">;
type Presented = Promise<StreamEvent | null> | StreamEvent | null;

/** What the caller may learn of such an event now, null for nothing. */
export function createHostEventPresenter(
  deps: PresenterDeps,
): (caller: Listener, stored: Stored<"hosts.changed" | "assignment.changed">) => Presented {
  const maySeeAny = createAudience<HostsChanged>(deps, findViewersOf);
  const isResponsible = createAudience(deps, findResponsible);

  async function presentHostsChanged(caller: Listener, changed: HostsChanged): Promise<StreamEvent | null> {
    const { configId, formerAdminId } = changed;
    if (isSuperAdmin(caller.role)) return { type: "hosts.changed", data: configId === null ? {} : { configId } };
    if (caller.id === formerAdminId) return { type: "hosts.changed", data: {} };
    return (await maySeeAny(changed, caller)) ? { type: "hosts.changed", data: {} } : null;
  }

  /** An assignment that has ended is told as well: its client and their admin are the ones who must let go of the row. */
  function presentAssignmentChanged(caller: Listener, changed: AssignmentChanged): Presented {
    const { hostId, userId, formerAdminId } = changed;
    const told: StreamEvent = { type: "assignment.changed", data: { hostId } };
    switch (caller.role) {
      case "super_admin":
        return told;
      case "admin":
        // Of a deleted client, who may have had thousands of hosts, nothing is left to ask the database for.
        if (formerAdminId !== undefined) return caller.id === formerAdminId ? told : null;
        // Events of versions before formerAdminId, kept for a day, name an admin who has lost a client in the client's place.
        if (caller.id === userId) return { type: "hosts.changed", data: {} };
        return isResponsible(changed, caller).then((isTold) => (isTold ? told : null));
      case "client":
        if (caller.id !== userId) return null;
        // A host whose period was moved into the future must vanish, yet one that was never seen must not be named.
        return isUnseen(deps, changed).then((isSecret) => (isSecret ? { type: "hosts.changed", data: {} } : told));
    }
  }

  return (caller, stored) => {
    switch (stored.type) {
      case "hosts.changed":
        return presentHostsChanged(caller, stored.data);
      case "assignment.changed":
        return presentAssignmentChanged(caller, stored.data);
    }
  };
}

/** The admin of an assignment's client, when among those. */
async function findResponsible(
  em: SqlEntityManager,
  { userId }: AssignmentChanged,
  { ids }: Viewers,
): Promise<string[]> {
  const { rows } = await sql<{ admin_id: string }>`
    select admin_id from users where id = ${userId} and admin_id = any(${[...ids]}::uuid[])
  `.execute(em.getKysely());
  return rows.map(({ admin_id: adminId }) => adminId);
}

/** The client's assignment, or the last one there was, has not begun, or ended before it did. */
async function isUnseen({ openEm, clock }: PresenterDeps, { hostId, userId }: AssignmentChanged): Promise<boolean> {
  const { rows } = await sql<{ is_unseen: boolean }>`
    select assigned_at > coalesce(ended_at, ${clock.now()}) as is_unseen from assignments
    where host_id = ${hostId} and user_id = ${userId}
    order by ended_at is null desc, id desc limit 1
  `.execute(openEm().getKysely());
  return rows[0]?.is_unseen ?? false;
}
