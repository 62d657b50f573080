import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { kyselyOf } from "../database/kysely.ts";
import type { Deps } from "../deps.ts";
import type { CleanUpTime } from "../retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../retention/delete-in-batches.ts";

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
export async function removeOldEvents(
  deps: Pick<Deps, "em" | "bus">,
  { asOf, latest }: CleanUpTime,
): Promise<void> {
  const events = kyselyOf(deps.em).selectFrom("events");
  const firstRecent = events
    .select((eb) => eb.fn.min("id").as("id"))
    .where("createdAt", ">=", asOf - EVENT_RETENTION_SECONDS)
    .where("createdAt", "<=", latest);
  const newest = events.select((eb) => eb.fn.max("id").as("id"));
  const oldest = events
    .select("id")
    .where((eb) => eb("id", "<", eb.fn.coalesce(firstRecent, newest)))
    .orderBy("id")
    .limit(BATCH_SIZE);

  await deleteInBatches(deps, (em) => kyselyOf(em).deleteFrom("events").where("id", "in", oldest));
}

function toLoggedEvent({ id, type, data, createdAt }: Row): LoggedEvent[] {
  return id === null ? [] : [{ id, type, data, createdAt }];
}
