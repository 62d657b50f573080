import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { event } from "../../../shared/events.ts";
import { Id } from "../../../shared/ids.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { SyncRun } from "../../../shared/sync.ts";
import { appendEvents } from "../../platform/events/append.ts";
import type { EventPresenter } from "../../platform/events/event.ts";
import { publishHostEvents } from "../hosts/events.ts";
import type { WrittenHost } from "./host-store.ts";

export const SyncProgress = event("sync.progress", SyncRun);
export const SyncFinished = event("sync.finished", SyncRun);
export const RemovalsChanged = event("removals.changed", z.object({ configId: Id }));

type SyncEvent = z.infer<typeof SyncProgress | typeof SyncFinished | typeof RemovalsChanged>;

interface HostChanges {
  readonly configId: string;
  readonly hosts: readonly WrittenHost[];
  /** Hosts are held that were not, or for another reason. */
  readonly isAnyHeld?: boolean;
}

/** Hosts of a configuration were written. `at` in Unix seconds. */
export async function publishChanges(
  em: SqlEntityManager,
  { configId, hosts, isAnyHeld = false }: HostChanges,
  at: number,
): Promise<void> {
  await publishHostEvents(em, { configId, hostIds: hosts.map(({ id }) => id) }, at);

  const areHeldHostsOther = isAnyHeld || hosts.some(({ wasHeld }) => wasHeld);
  if (areHeldHostsOther) await publishRemovals(em, [configId], at);
}

/** The held hosts of these configurations are not the same any more. `at` in Unix seconds. */
export async function publishRemovals(
  em: SqlEntityManager,
  configIds: Iterable<string>,
  at: number,
): Promise<void> {
  const events = Array.from(configIds, (configId) => ({
    type: "removals.changed" as const,
    data: { configId },
  }));
  await appendEvents(em, events, at);
}

/** Only super admins see runs and held hosts. */
export function presentSyncEvent(happened: SyncEvent): EventPresenter {
  return ({ role }) => (isSuperAdmin(role) ? happened : null);
}
