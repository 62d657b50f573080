import { isSuperAdmin } from "../../shared/roles.ts";
import type { StoredEventOf } from "../events/event.ts";
import type { View } from "../events/present.ts";

/** Only super admins see sync runs. */
export function viewSyncEvent(_em: unknown, event: StoredEventOf<"sync.progress" | "sync.finished">): View {
  return ({ role }) => (isSuperAdmin(role) ? event : null);
}
