import type { EventPresenters } from "./events/presenters.ts";
import { presentHostEvent } from "./hosts/events.ts";
import { presentRenewalEvent } from "./renewals/events.ts";
import { presentSettingsEvent } from "./settings/events.ts";
import { presentSyncEvent } from "./sync/events.ts";

/** Who sees what of each kind of event; each domain decides for its own. */
export const EVENT_PRESENTERS: EventPresenters = {
  "sync.progress": (_openEm, caller, stored) => presentSyncEvent(caller, stored),
  "sync.finished": (_openEm, caller, stored) => presentSyncEvent(caller, stored),
  "hosts.changed": presentHostEvent,
  "assignment.changed": presentHostEvent,
  "settings.changed": (_openEm, _caller, stored) => presentSettingsEvent(stored),
  "renewal.created": presentRenewalEvent,
  "renewal.processed": presentRenewalEvent,
  "renewal.cancelled": presentRenewalEvent,
};
