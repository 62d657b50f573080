import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { event } from "../../../shared/events.ts";
import { Id } from "../../../shared/ids.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { appendEvents } from "../../platform/events/append.ts";
import type { EventPresenter } from "../../platform/events/event.ts";

export const ConfigChanged = event("config.changed", z.object({ configId: Id }));

/**
 * Configurations were made, changed or deleted, their schedules paused or resumed, or their balances
 * became low or are no longer. `at` in Unix seconds.
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

/** Only super admins see configurations. */
export function presentConfigChanged(changed: z.infer<typeof ConfigChanged>): EventPresenter {
  return ({ role }) => (isSuperAdmin(role) ? changed : null);
}
