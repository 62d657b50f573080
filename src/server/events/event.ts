import { z } from "zod";
import { Id } from "../../shared/ids.ts";
import { RenewalStatus } from "../../shared/renewals.ts";
import { SettingsChanged } from "../../shared/settings.ts";
import { SyncRun } from "../../shared/sync.ts";

function stored<Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), data });
}

/** With `userId` only that client's assignments of the hosts changed; `formerAdminId` no longer sees them. */
const HostsChanged = z.object({
  configId: Id.nullable(),
  hostIds: z.array(Id),
  userId: Id.optional(),
  formerAdminId: Id.nullish(),
});

const AssignmentChanged = z.object({ hostId: Id, userId: Id });

/** The status after the event; older rows have none. */
const RenewalReference = z.object({ renewalId: Id, status: RenewalStatus.optional() });

export const StoredEvent = z.discriminatedUnion("type", [
  stored("sync.progress", SyncRun),
  stored("sync.finished", SyncRun),
  stored("hosts.changed", HostsChanged),
  stored("assignment.changed", AssignmentChanged),
  stored("removals.changed", z.object({ configId: Id })),
  stored("settings.changed", SettingsChanged),
  stored("renewal.created", RenewalReference),
  stored("renewal.processed", RenewalReference),
  stored("renewal.cancelled", RenewalReference),
]);
export type StoredEvent = z.infer<typeof StoredEvent>;
export type StoredEventOf<Type extends StoredEvent["type"]> = Extract<StoredEvent, { type: Type }>;
