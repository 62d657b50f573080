import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { StoredEvent, View } from "./events/event.ts";
import { viewAssignmentChanged, viewHostsChanged } from "./hosts/events.ts";
import { viewRenewalEvent } from "./renewals/events.ts";
import { viewSyncEvent } from "./sync/events.ts";
import { viewUserChanged } from "./users/events.ts";

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
