import type { StreamEvent } from "../../shared/events.ts";
import type { StoredEvent } from "../events/append.ts";

/** Settings concern everybody who is signed in. */
export function presentSettingsEvent(stored: Extract<StoredEvent, { type: "settings.changed" }>): StreamEvent {
  return { type: "settings.changed", data: stored.data };
}
