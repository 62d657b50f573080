import type { MikroORM, SqlEntityManager } from "@mikro-orm/postgresql";
import { ADVISORY_LOCKS } from "../database/advisory-locks.ts";
import { StoredEvent } from "./append.ts";

/** An event with its place in the log. `size` is the length of its JSON, for whoever keeps it in memory. */
export interface LoggedEvent {
  readonly id: number;
  readonly event: StoredEvent;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly size: number;
}

/** Rows after an id, oldest first, at most as many as were asked for. */
export interface LogPage {
  readonly events: readonly LoggedEvent[];
  /** How many rows there were: more than `events` when some are of a kind that this version does not know. */
  readonly rowCount: number;
  /** Id of the last row; the id asked for when there was none. */
  readonly lastId: number;
  /** Newest id in the table, 0 when that is empty. */
  readonly newest: number;
  /** False when rows after the id were cleaned away already, or may have been. */
  readonly isWhole: boolean;
}

/** Oldest and newest id that are kept. In an empty log: the id to come, and the one before it. */
export interface LogBounds {
  readonly oldest: number;
  readonly newest: number;
}

interface Row {
  readonly newest: number;
  readonly oldest: number | null;
  readonly id: number | null;
  readonly type: string;
  readonly payload: string;
  readonly created_at: number;
}

export async function readLogPage(orm: MikroORM, afterId: number, limit: number): Promise<LogPage> {
  const found = await orm.em.fork().execute<Row[]>(
    `select n.newest, n.oldest, e.id, e.type, e.payload, e.created_at
     from (select coalesce(max(id), 0) as newest, min(id) as oldest from events) n
     left join lateral (
       select id, type, payload::text as payload, created_at from events where id > ? order by id limit ?
     ) e on true
     order by e.id`,
    [afterId, limit],
  );
  const rows = found.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]));
  return {
    events: rows.flatMap(parseRow),
    rowCount: rows.length,
    lastId: rows.at(-1)?.id ?? afterId,
    newest: found[0]?.newest ?? 0,
    isWhole: (found[0]?.oldest ?? 0) <= afterId + 1,
  };
}

export async function readLogBounds(orm: MikroORM): Promise<LogBounds> {
  const em = orm.em.fork();
  return (await readKept(em)) ?? (await em.transactional(readEmpty));
}

async function readKept(em: SqlEntityManager): Promise<LogBounds | null> {
  const [row] = await em.execute<{ oldest: number | null; newest: number | null }[]>(
    "select min(id) as oldest, max(id) as newest from events",
  );
  if (row === undefined || row.oldest === null || row.newest === null) return null;
  return { oldest: row.oldest, newest: row.newest };
}

/** Nothing has happened yet, or somebody emptied the table. The lock waits for an event that has its id but is not committed. */
async function readEmpty(em: SqlEntityManager): Promise<LogBounds> {
  await em.execute("select pg_advisory_xact_lock(?)", [ADVISORY_LOCKS.eventAppend]);
  const [sequence] = await em.execute<{ newest: number }[]>(
    "select case when is_called then last_value else 0 end as newest from events_id_seq",
  );
  const newest = sequence?.newest ?? 0;
  return (await readKept(em)) ?? { oldest: newest + 1, newest };
}

/** A replica of a newer version may write kinds that this one does not know; it has nobody to show them to. */
function parseRow({ id, type, payload, created_at: createdAt }: Row & { readonly id: number }): LoggedEvent[] {
  const event = StoredEvent.safeParse({ type, data: JSON.parse(payload) });
  return event.success ? [{ id, event: event.data, createdAt, size: payload.length }] : [];
}
