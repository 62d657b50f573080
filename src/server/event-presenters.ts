import type { Presenters } from "./events/present.ts";
import { viewAssignmentChanged, viewHostsChanged } from "./hosts/events.ts";
import { viewRenewalEvent } from "./renewals/events.ts";
import { viewSettingsEvent } from "./settings/service.ts";
import { viewSyncEvent } from "./sync/queries.ts";

export const EVENT_PRESENTERS: Presenters = {
  "sync.progress": viewSyncEvent,
  "sync.finished": viewSyncEvent,
  "hosts.changed": viewHostsChanged,
  "assignment.changed": viewAssignmentChanged,
  "removals.changed": viewSyncEvent,
  "settings.changed": viewSettingsEvent,
  "renewal.created": viewRenewalEvent,
  "renewal.processed": viewRenewalEvent,
  "renewal.cancelled": viewRenewalEvent,
};
