import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { presentSecuritySettingsChanged, SecuritySettingsChanged } from "./modules/auth/events.ts";
import { ChannelChanged, presentChannelChanged } from "./modules/channels/events.ts";
import {
  AnnotationsChanged,
  AssignmentChanged,
  HostsChanged,
  presentAnnotationsChanged,
  presentAssignmentChanged,
  presentHostsChanged,
  presentRemovalsChanged,
  RemovalsChanged,
} from "./modules/hosts/events.ts";
import {
  NoticeCreated,
  NoticesRead,
  presentNoticeCreated,
} from "./modules/notice-records/events.ts";
import { presentNoticesRead } from "./modules/notices/events.ts";
import { ConfigChanged, presentConfigChanged } from "./modules/provider-configs/events.ts";
import { presentRemindersChanged, RemindersChanged } from "./modules/reminders/events.ts";
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
  AnnotationsChanged,
  SettingsChanged,
  SecuritySettingsChanged,
  ConfigChanged,
  UserChanged,
  RenewalCreated,
  RenewalProcessed,
  RenewalCancelled,
  NoticeCreated,
  NoticesRead,
  RemindersChanged,
  ChannelChanged,
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
    case "annotations.changed":
      return presentAnnotationsChanged(em, event);
    case "settings.changed":
      return presentSettingsChanged(event);
    case "securitySettings.changed":
      return presentSecuritySettingsChanged(event);
    case "config.changed":
      return presentConfigChanged(event);
    case "user.changed":
      return presentUserChanged(em, event);
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled":
      return presentRenewalEvent(em, event);
    case "notice.created":
      return presentNoticeCreated(event);
    case "notices.read":
      return presentNoticesRead(em, event);
    case "reminders.changed":
      return presentRemindersChanged(event);
    case "channel.changed":
      return presentChannelChanged(event);
  }
}
