import type { EventPresenters, PresenterDeps } from "./events/presenters.ts";
import { createHostEventPresenter } from "./hosts/events.ts";
import { createRenewalEventPresenter } from "./renewals/events.ts";
import { presentSettingsEvent } from "./settings/events.ts";
import { presentSyncEvent } from "./sync/events.ts";

/** Who sees what of each kind of event; each domain decides for its own. */
export function createEventPresenters(deps: PresenterDeps): EventPresenters {
  const presentHostEvent = createHostEventPresenter(deps);
  const presentRenewalEvent = createRenewalEventPresenter(deps);
  return {
    "sync.progress": presentSyncEvent,
    "sync.finished": presentSyncEvent,
    "hosts.changed": presentHostEvent,
    "assignment.changed": presentHostEvent,
    "settings.changed": (_caller, stored) => presentSettingsEvent(stored),
    "renewal.created": presentRenewalEvent,
    "renewal.processed": presentRenewalEvent,
    "renewal.cancelled": presentRenewalEvent,
  };
}
