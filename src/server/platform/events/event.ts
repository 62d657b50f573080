import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { event, type StreamEvent } from "../../../shared/events.ts";
import { Id } from "../../../shared/ids.ts";
import { RenewalStatus } from "../../../shared/renewal-status.ts";
import { SettingsChanged } from "../../../shared/settings.ts";
import { SyncRun } from "../../../shared/sync.ts";
import type { Caller } from "../trpc/caller.ts";

/**
 * With `userId` only that client's assignments of the hosts changed; `formerAdminId` no longer sees
 * them. `areTooMany`: the hosts are not named, so that everybody whom they may concern reads again.
 */
const HostsChanged = z.object({
  configId: Id.nullable(),
  hostIds: z.array(Id),
  areTooMany: z.boolean().optional(),
  userId: Id.optional(),
  formerAdminId: Id.nullish(),
});

const AssignmentChanged = z.object({ hostId: Id, userId: Id });

/** `formerAdminId` had the user until this change. */
const UserChanged = z.object({ userId: Id, formerAdminId: Id.nullish() });

/** The status after the event; older rows have none. */
const RenewalReference = z.object({ renewalId: Id, status: RenewalStatus.optional() });

/** What is kept in the log. Receivers get a `StreamEvent`, which a presenter makes of it. */
export const StoredEvent = z.discriminatedUnion("type", [
  event("sync.progress", SyncRun),
  event("sync.finished", SyncRun),
  event("hosts.changed", HostsChanged),
  event("assignment.changed", AssignmentChanged),
  event("removals.changed", z.object({ configId: Id })),
  event("settings.changed", SettingsChanged),
  event("config.changed", z.object({ configId: Id })),
  event("user.changed", UserChanged),
  event("renewal.created", RenewalReference),
  event("renewal.processed", RenewalReference),
  event("renewal.cancelled", RenewalReference),
]);
export type StoredEvent = z.infer<typeof StoredEvent>;
export type StoredEventOf<Type extends StoredEvent["type"]> = Extract<StoredEvent, { type: Type }>;

/** What of one event a caller may see; null when the caller may not hear of it. */
export type EventPresenter = (caller: Pick<Caller, "id" | "role">) => StreamEvent | null;

/**
 * Reads once who may see the event and what of it, as of `now` (Unix seconds). The presenter that
 * it returns answers for any number of callers without reading again.
 */
export type PresentEvent = (
  em: SqlEntityManager,
  event: StoredEvent,
  now: number,
) => EventPresenter | Promise<EventPresenter>;
