import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { StreamEvent } from "../../shared/events.ts";
import { isSuperAdmin } from "../../shared/roles.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "../events/append.ts";
import { createAudience, type Viewers } from "../events/audience.ts";
import type { PresenterDeps } from "../events/presenters.ts";
import { findViewersOf } from "./scope.ts";

type Stored<Type extends StoredEvent["type"]> = Extract<StoredEvent, { type: Type }>;
type HostsChanged = Stored<"hosts.changed">["data"];
type AssignmentChanged = Stored<"assignment.changed">["data"];
type Listener = Pick<Caller, "id" | "role">;

/** What the caller may learn of such an event now, null for nothing. */
export function createHostEventPresenter(
  deps: PresenterDeps,
): (caller: Listener, stored: Stored<"hosts.changed" | "assignment.changed">) => Promise<StreamEvent | null> {
  const maySeeAny = createAudience(deps, (em, { hostIds }: HostsChanged, viewers) =>
    findViewersOf(em, hostIds, viewers),
  );
  const isResponsible = createAudience(deps, findResponsible);

  async function presentHostsChanged(caller: Listener, changed: HostsChanged): Promise<StreamEvent | null> {
    const { configId } = changed;
    if (isSuperAdmin(caller.role)) return { type: "hosts.changed", data: configId === null ? {} : { configId } };
    return (await maySeeAny(changed, caller)) ? { type: "hosts.changed", data: {} } : null;
  }

  /** An assignment that has ended is told as well: its client and their admin are the ones who must let go of the row. */
  async function presentAssignmentChanged(caller: Listener, changed: AssignmentChanged): Promise<StreamEvent | null> {
    const { hostId, userId } = changed;
    const told: StreamEvent = { type: "assignment.changed", data: { hostId } };
    switch (caller.role) {
      case "super_admin":
        return told;
      case "admin":
        // Named itself, it has lost the client; the host may be none of its business any more.
        if (caller.id === userId) return { type: "hosts.changed", data: {} };
        return (await isResponsible(changed, caller)) ? told : null;
      case "client":
        if (caller.id !== userId) return null;
        // A host whose period was moved into the future must vanish, yet one that was never seen must not be named.
        return (await isStillToCome(deps, changed)) ? { type: "hosts.changed", data: {} } : told;
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

async function isStillToCome(
  { openEm, clock }: PresenterDeps,
  { hostId, userId }: AssignmentChanged,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from assignments
    where host_id = ${hostId} and user_id = ${userId} and ended_at is null and assigned_at > ${clock.now()}
  `.execute(openEm().getKysely());
  return rows.length > 0;
}
