import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { MAX_CLOCK_SKEW_SECONDS } from "../clock.ts";
import type { Deps } from "../deps.ts";

/** For which an event can be replayed at least. */
const EVENT_RETENTION_SECONDS = 24 * 3600;

/** A row of the log, which a replica of another version may have written. */
export interface LoggedEvent {
  readonly id: number;
  readonly type: string;
  readonly data: unknown;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** Oldest and newest id that are kept. In an empty log: the next id, and the one before it. */
export interface LogBounds {
  readonly oldest: number;
  readonly newest: number;
}

/** The id is null in the one row of a page without events. */
interface Row extends LogBounds {
  readonly id: number | null;
  readonly type: string;
  readonly data: unknown;
  readonly createdAt: number;
}

/**
 * Rows after `afterId`, oldest first. One statement, so that the bounds are those of the moment in
 * which the rows were read.
 */
export async function readLogPage(em: SqlEntityManager, afterId: number, limit: number) {
  const { rows } = await sql<Row>`
    select b.oldest, b.newest, e.id, e.type, e.payload as data, e.created_at as "createdAt"
    from (
      select coalesce((select min(id) from events), s.last + 1) as oldest,
        coalesce((select max(id) from events), s.last) as newest
      from (select case when is_called then last_value else 0 end as last from events_id_seq) s
    ) b
    left join lateral (
      select * from events where id > ${afterId} order by id limit ${limit}
    ) e on true
    order by e.id
  `.execute(em.getKysely());
  const [{ oldest, newest } = { oldest: 1, newest: 0 }] = rows;
  const events = rows.flatMap(toLoggedEvent);
  return {
    events,
    /** Id of the last row; the given id when there is none. */
    lastId: events.at(-1)?.id ?? afterId,
    isFull: events.length === limit,
    oldest,
    newest,
  };
}

export async function readLogBounds(em: SqlEntityManager): Promise<LogBounds> {
  const { oldest, newest } = await readLogPage(em, Number.MAX_SAFE_INTEGER, 1);
  return { oldest, newest };
}

/**
 * Removes a prefix of the log, never its newest row: `min(id)` and `max(id)` always say what can
 * be replayed. Events of a clock that was ahead keep nothing alive: the rows before and after them
 * would stay for as long as it was ahead.
 */
export async function removeOldEvents({ em, clock }: Pick<Deps, "em" | "clock">): Promise<void> {
  const now = clock.now();
  const oldest = now - EVENT_RETENTION_SECONDS;
  const latest = now + MAX_CLOCK_SKEW_SECONDS;
  await sql`
    delete from events where id < coalesce(
      (select min(id) from events
        where created_at between ${oldest} and ${latest}),
      (select max(id) from events))
  `.execute(em.getKysely());
}

function toLoggedEvent({ id, type, data, createdAt }: Row): LoggedEvent[] {
  return id === null ? [] : [{ id, type, data, createdAt }];
}
