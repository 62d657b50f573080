import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { Id } from "../../shared/ids.ts";
import { SettingsChanged } from "../../shared/settings.ts";
import { SyncRun } from "../../shared/sync.ts";
import { ADVISORY_LOCKS } from "../database/advisory-locks.ts";

function stored<Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), data });
}

const RenewalReference = z.object({ renewalId: Id });

/**
 * With `userId` only that client's assignments of the hosts have changed, and the rows of others are what they were. Who was
 * responsible for a client that has left is named, for nobody's scope leads there any more.
 */
const HostsChanged = z.object({
  configId: Id.nullable(),
  hostIds: z.array(Id),
  userId: Id.optional(),
  formerAdminId: Id.nullish(),
});

/** `formerAdminId`, null for nobody, is there when the client has been deleted with its assignments. */
const AssignmentChanged = z.object({ hostId: Id, userId: Id, formerAdminId: Id.nullish() });

/** An event as it is kept: with what is needed to decide, at delivery, who may see it. */
export const StoredEvent = z.discriminatedUnion("type", [
  stored("sync.progress", SyncRun),
  stored("sync.finished", SyncRun),
  stored("hosts.changed", HostsChanged),
  stored("assignment.changed", AssignmentChanged),
  stored("settings.changed", SettingsChanged),
  stored("renewal.created", RenewalReference),
  stored("renewal.processed", RenewalReference),
  stored("renewal.cancelled", RenewalReference),
]);
export type StoredEvent = z.infer<typeof StoredEvent>;

/** Adds an event to the log inside the transaction of the change that it tells of, see `appendEvents`. */
export async function appendEvent(em: SqlEntityManager, event: StoredEvent, at: number): Promise<void> {
  await appendEvents(em, [event], at);
}

/**
 * Adds events in this order. Last in the transaction, to hold the lock briefly; the lock, the rows (whose ids are drawn under it)
 * and the hint to listeners, which names the last of them, are one trip to the database, however many there are.
 */
export async function appendEvents(em: SqlEntityManager, events: readonly StoredEvent[], at: number): Promise<void> {
  if (events.length === 0) return;
  await em.execute(
    `with locked as materialized (select pg_advisory_xact_lock(?)),
     appended as (
       insert into events (type, payload, created_at)
       select e.event->>'type', e.event->'data', ?::bigint
       from locked, jsonb_array_elements(?::jsonb) with ordinality as e (event, place) order by e.place
       returning id
     )
     select pg_notify('events', max(id)::text) from appended`,
    [ADVISORY_LOCKS.eventAppend, at, JSON.stringify(events)],
  );
}
