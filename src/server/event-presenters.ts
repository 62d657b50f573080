import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import {
  AssignmentChanged,
  HostsChanged,
  presentAssignmentChanged,
  presentHostsChanged,
  presentRemovalsChanged,
  RemovalsChanged,
} from "./modules/hosts/events.ts";
import { ConfigChanged, presentConfigChanged } from "./modules/provider-configs/events.ts";
import {
  presentRenewalEvent,
  RenewalCancelled,
  RenewalCreated,
  RenewalProcessed,
} from "./modules/renewals/events.ts";
import { presentSettingsChanged, SettingsChanged } from "./modules/settings/events.ts";
import { presentSyncEvent, SyncFinished, SyncProgress } from "./modules/sync/events.ts";
import { presentUserChanged, UserChanged } from "./modules/users/events.ts";
import type { EventPresenter } from "./platform/events/event.ts";
import type { LoggedEvent } from "./platform/events/store.ts";

/** Every type of event that is stored, as its module describes it. */
export const StoredEvent = z.discriminatedUnion("type", [
  SyncProgress,
  SyncFinished,
  RemovalsChanged,
  HostsChanged,
  AssignmentChanged,
  SettingsChanged,
  ConfigChanged,
  UserChanged,
  RenewalCreated,
  RenewalProcessed,
  RenewalCancelled,
]);

declare module "./platform/events/event.ts" {
  interface DeclaredEvents {
    readonly ofModules: z.infer<typeof StoredEvent>;
  }
}

/** Who receives an event, and what of it: each module decides for its own types. */
export function presentEvent(
  em: SqlEntityManager,
  { type, data }: LoggedEvent,
  now: number,
): EventPresenter | Promise<EventPresenter> {
  const { data: event } = StoredEvent.safeParse({ type, data });
  // A replica of a newer version wrote it.
  if (event === undefined) return () => null;

  switch (event.type) {
    case "sync.progress":
    case "sync.finished":
      return presentSyncEvent(event);
    case "removals.changed":
      return presentRemovalsChanged(event);
    case "hosts.changed":
      return presentHostsChanged(em, event, now);
    case "assignment.changed":
      return presentAssignmentChanged(em, event, now);
    case "settings.changed":
      return presentSettingsChanged(event);
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
