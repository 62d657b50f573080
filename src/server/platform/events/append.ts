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

/** In this order, last in a transaction: its lock lasts until the commit, so ids rise in commit order. `at` in Unix seconds. */
export async function appendEvents(
  em: SqlEntityManager,
  events: readonly StoredEvent[],
  at: number,
): Promise<void> {
  if (events.length === 0) return;
  await sql`
    with locked as materialized (select pg_advisory_xact_lock(${ADVISORY_LOCKS.eventAppend}))
    insert into events (type, payload, created_at)
    select e.event->>'type', e.event->'data', ${at}::bigint
    from locked, jsonb_array_elements(${JSON.stringify(events)}::jsonb) with ordinality as e (event, position)
    order by e.position
  `.execute(em.getKysely());
}
