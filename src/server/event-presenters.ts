import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { presentAssignmentChanged, presentHostsChanged } from "./modules/hosts/events.ts";
import { presentConfigChanged } from "./modules/provider-configs/events.ts";
import { presentRenewalEvent } from "./modules/renewals/events.ts";
import { presentSyncEvent } from "./modules/sync/events.ts";
import { presentUserChanged } from "./modules/users/events.ts";
import type { EventPresenter, StoredEvent } from "./platform/events/event.ts";

/** Who receives an event, and what of it: each module decides for its own types. */
export function presentEvent(
  em: SqlEntityManager,
  event: StoredEvent,
  now: number,
): EventPresenter | Promise<EventPresenter> {
  switch (event.type) {
    case "sync.progress":
    case "sync.finished":
    case "removals.changed":
      return presentSyncEvent(event);
    case "hosts.changed":
      return presentHostsChanged(em, event, now);
    case "assignment.changed":
      return presentAssignmentChanged(em, event, now);
    case "settings.changed":
      return () => event;
    case "config.changed":
      return presentConfigChanged(event);
    case "user.changed":
      return presentUserChanged(em, event);
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled":
      return presentRenewalEvent(em, event);
  }
}
