import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { z } from "zod";
import { event } from "../../../shared/events.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { SecuritySettings } from "../../../shared/security-settings.ts";
import { appendEvent } from "../../platform/events/append.ts";
import type { EventPresenter } from "../../platform/events/event.ts";

export const SecuritySettingsChanged = event("securitySettings.changed", SecuritySettings);

/** `at` in Unix seconds. */
export async function publishSecuritySettingsChanged(
  em: SqlEntityManager,
  settings: SecuritySettings,
  at: number,
): Promise<void> {
  await appendEvent(em, { type: "securitySettings.changed", data: settings }, at);
}

/** Super admins in a session: nobody reads them with an API token. */
export function presentSecuritySettingsChanged(
  changed: z.infer<typeof SecuritySettingsChanged>,
): EventPresenter {
  return ({ role, token }) => (isSuperAdmin(role) && token === null ? changed : null);
}
