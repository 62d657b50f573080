import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { z } from "zod";
import { event } from "../../../shared/events.ts";
import { SettingsChanged as ChangedSettings, type Settings } from "../../../shared/settings.ts";
import { appendEvent } from "../../platform/events/append.ts";
import type { EventPresenter } from "../../platform/events/event.ts";

export const SettingsChanged = event("settings.changed", ChangedSettings);

/** `at` in Unix seconds. */
export async function publishSettingsChanged(
  em: SqlEntityManager,
  settings: Settings,
  at: number,
): Promise<void> {
  await appendEvent(em, { type: "settings.changed", data: settings }, at);
}

/** Everybody reads all settings. */
export function presentSettingsChanged(changed: z.infer<typeof SettingsChanged>): EventPresenter {
  return () => changed;
}
