import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { StoredEvent } from "./events/event.ts";
import type { View } from "./events/view.ts";
import { viewAssignmentChanged, viewHostsChanged } from "./hosts/events.ts";
import { viewRenewalEvent } from "./renewals/events.ts";
import { viewSettingsEvent } from "./settings/service.ts";
import { viewSyncEvent } from "./sync/events.ts";

export function viewOf(em: SqlEntityManager, event: StoredEvent, now: number): View {
  switch (event.type) {
    case "sync.progress":
    case "sync.finished":
    case "removals.changed":
      return viewSyncEvent(event);
    case "hosts.changed":
      return viewHostsChanged(em, event, now);
    case "assignment.changed":
      return viewAssignmentChanged(em, event, now);
    case "settings.changed":
      return viewSettingsEvent(event);
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled":
      return viewRenewalEvent(em, event);
  }
}
