import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { appendEvents } from "../../platform/events/append.ts";
import type { EventPresenter, StoredEventOf } from "../../platform/events/event.ts";

/**
 * Configurations were made, changed or deleted, or their schedules paused or resumed. `at` in Unix
 * seconds.
 */
export async function publishConfigsChanged(
  em: SqlEntityManager,
  configIds: readonly string[],
  at: number,
): Promise<void> {
  const events = configIds.map((configId) => ({
    type: "config.changed" as const,
    data: { configId },
  }));
  await appendEvents(em, events, at);
}

export function presentConfigChanged(event: StoredEventOf<"config.changed">): EventPresenter {
  return ({ role }) => (isSuperAdmin(role) ? event : null);
}
