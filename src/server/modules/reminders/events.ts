import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { event } from "../../../shared/events.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { appendEvent } from "../../platform/events/append.ts";
import type { EventPresenter } from "../../platform/events/event.ts";

export const RemindersChanged = event("reminders.changed", z.object({}));

/** The settings were saved, or reminders were sent. `at` in Unix seconds. */
export async function publishRemindersChanged(em: SqlEntityManager, at: number): Promise<void> {
  await appendEvent(em, { type: "reminders.changed", data: {} }, at);
}

/** Only super admins see settings and ledger. */
export function presentRemindersChanged(changed: z.infer<typeof RemindersChanged>): EventPresenter {
  return ({ role }) => (isSuperAdmin(role) ? changed : null);
}
