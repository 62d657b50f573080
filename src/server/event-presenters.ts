import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { viewAssignmentChanged, viewHostsChanged } from "./modules/hosts/events.ts";
import { viewRenewalEvent } from "./modules/renewals/events.ts";
import { viewSyncEvent } from "./modules/sync/events.ts";
import { viewUserChanged } from "./modules/users/events.ts";
import type { StoredEvent, View } from "./platform/events/event.ts";

export function viewOf(
  em: SqlEntityManager,
  event: StoredEvent,
  now: number,
): View | Promise<View> {
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
      return () => event;
    case "user.changed":
      return viewUserChanged(em, event);
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled":
      return viewRenewalEvent(em, event);
  }
}
