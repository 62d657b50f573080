import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { z } from "zod";
import { event } from "../../../shared/events.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { isLiveSync, SyncRun } from "../../../shared/sync.ts";
import { appendEvent } from "../../platform/events/append.ts";
import type { EventPresenter } from "../../platform/events/event.ts";
import { publishHostEvents, publishRemovals } from "../hosts/events.ts";
import type { WrittenHost } from "./host-store.ts";

export const SyncProgress = event("sync.progress", SyncRun);
export const SyncFinished = event("sync.finished", SyncRun);

type SyncEvent = z.infer<typeof SyncProgress | typeof SyncFinished>;

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

/** A run was queued, goes on, or has ended, as its status says. `at` in Unix seconds. */
export async function publishRun(em: SqlEntityManager, run: SyncRun, at: number): Promise<void> {
  const type = isLiveSync(run.status) ? "sync.progress" : "sync.finished";
  await appendEvent(em, { type, data: run }, at);
}

/** Only super admins see runs. */
export function presentSyncEvent(happened: SyncEvent): EventPresenter {
  return ({ role }) => (isSuperAdmin(role) ? happened : null);
}
