import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { ADVISORY_LOCKS } from "../database/sql.ts";
import type { StoredEvent } from "./event.ts";

export async function appendEvent(
  em: SqlEntityManager,
  event: StoredEvent,
  at: number,
): Promise<void> {
  await appendEvents(em, [event], at);
}

/**
 * Appends in this order, as the last step of a transaction. The lock that it takes lasts until the
 * commit, so that ids rise in commit order: who has read an id has everything before it. Without
 * the lock a transaction could take a lower id and commit it later, and every reader would miss it.
 * `at` in Unix seconds.
 */
export async function appendEvents(
  em: SqlEntityManager,
  events: readonly StoredEvent[],
  at: number,
): Promise<void> {
  if (events.length === 0) return;

  await sql`
    with locked as materialized (
      select pg_advisory_xact_lock(${ADVISORY_LOCKS.eventAppend})
    )
    insert into events (type, payload, created_at)
    select e.event->>'type', e.event->'data', ${at}::bigint
    from locked,
      jsonb_array_elements(${JSON.stringify(events)}::jsonb) with ordinality as e (event, position)
    order by e.position
  `.execute(em.getKysely());
}
