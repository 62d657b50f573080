import type { StoredEventOf } from "../events/event.ts";
import type { View } from "../events/present.ts";

export function viewSettingsEvent(_em: unknown, { type, data }: StoredEventOf<"settings.changed">): View {
  const shown = { type, data } as const;
  return () => shown;
}
