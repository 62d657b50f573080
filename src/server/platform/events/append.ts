import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { ADVISORY_LOCKS } from "../database/sql.ts";
import type { StoredEvent } from "./event.ts";

// Ids of events rise in commit order: who has read an id has everything before it. A lock that is
// taken with the first id of a transaction and lasts until its commit makes it so. Without it a
// transaction could take a lower id and commit it later, and every reader would miss it.
//
// Everybody who changes anything waits for this lock. So the events of a transaction are only noted
// while it runs, and `inTransaction` writes them as its last statement before the commit. Were they
// written where a change happens, a transaction could hold the lock while it waits for a row, and
// another one hold that row while it waits for the lock: a deadlock, for whose end everybody waits.

interface NotedEvent {
  readonly type: string;
  readonly data: unknown;
  readonly at: number;
}

/** By transaction, so that every EntityManager that works in it adds to the same ones. */
const notedEvents = new WeakMap<object, NotedEvent[]>();

export async function appendEvent(
  em: SqlEntityManager,
  event: StoredEvent,
  at: number,
): Promise<void> {
  await appendEvents(em, [event], at);
}

/**
 * Appends in this order, inside `inTransaction`: wherever it is called there, the events are
 * written last. `at` in Unix seconds.
 */
export async function appendEvents(
  em: SqlEntityManager,
  events: readonly StoredEvent[],
  at: number,
): Promise<void> {
  const noted = eventsNotedIn(em);
  for (const { type, data } of events) noted.push({ type, data, at });
}

/** Writes what was appended. Only for `inTransaction`, just before it commits. */
export async function writeAppendedEvents(em: SqlEntityManager): Promise<void> {
  const noted = eventsNotedIn(em);
  if (noted.length === 0) return;

  await sql`
    with locked as materialized (
      select pg_advisory_xact_lock(${ADVISORY_LOCKS.eventAppend})
    )
    insert into events (type, payload, created_at)
    select e.event->>'type', e.event->'data', (e.event->>'at')::bigint
    from locked,
      jsonb_array_elements(${JSON.stringify(noted)}::jsonb) with ordinality as e (event, position)
    order by e.position
  `.execute(em.getKysely());
}

function eventsNotedIn(em: SqlEntityManager): NotedEvent[] {
  const transaction = em.getTransactionContext();
  if (transaction === undefined) throw new Error("events are appended in a transaction only");

  const noted = notedEvents.get(transaction) ?? [];
  notedEvents.set(transaction, noted);
  return noted;
}
