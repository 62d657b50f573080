import type { z } from "zod";
import { event } from "../../../shared/events.ts";
import { SettingsChanged as ChangedSettings } from "../../../shared/settings.ts";
import type { EventPresenter } from "../../platform/events/event.ts";

export const SettingsChanged = event("settings.changed", ChangedSettings);

/** Everybody reads all settings. */
export function presentSettingsChanged(changed: z.infer<typeof SettingsChanged>): EventPresenter {
  return () => changed;
}
