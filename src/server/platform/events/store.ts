import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { kyselyOf } from "../database/kysely.ts";
import type { TransactionDeps } from "../database/transaction.ts";
import type { CleanUpTime } from "../retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../retention/delete-in-batches.ts";
import { holds, type LogPosition } from "./position.ts";

/** For which an event can be replayed at least. */
const EVENT_RETENTION_SECONDS = 24 * 3600;

/** A row of the log, which a replica of another version may have written. */
export interface LoggedEvent extends LogPosition {
  readonly type: string;
  readonly data: unknown;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** Rows after a position, and what is true of the log at the moment in which they were read. */
export interface LogPage {
  /** Oldest first. */
  readonly events: readonly LoggedEvent[];
  /** Behind the last row; the given position when there is none. */
  readonly last: LogPosition;
  /** Whether more may follow at once. */
  readonly isFull: boolean;
  /** Behind the newest row of the log. In an empty log: the id before the next one. */
  readonly newest: LogPosition;
  /** Whether nothing is missing between the given position and the rows. */
  readonly isContinuous: boolean;
}

/** The id is null in the one row of a page without events. */
interface Row {
  readonly oldest: number;
  readonly newest: number;
  readonly newestMark: number | null;
  readonly markThere: number | null;
  readonly id: number | null;
  readonly mark: number | null;
  readonly type: string;
  readonly data: unknown;
  readonly createdAt: number;
}

const EMPTY_LOG = { oldest: 1, newest: 0, newestMark: null, markThere: null } as const;

/** One statement, so that all of the page is of one moment. */
export async function readLogPage(
  em: SqlEntityManager,
  after: LogPosition,
  limit: number,
): Promise<LogPage> {
  const { rows } = await sql<Row>`
    select b.oldest, b.newest,
      (select mark from events where id = b.newest) as "newestMark",
      (select mark from events where id = ${after.id}) as "markThere",
      e.id, e.mark, e.type, e.payload as data, e.created_at as "createdAt"
    from (
      select coalesce((select min(id) from events), s.last + 1) as oldest,
        coalesce((select max(id) from events), s.last) as newest
      from (select case when is_called then last_value else 0 end as last from events_id_seq) s
    ) b
    left join lateral (
      select * from events where id > ${after.id} order by id limit ${limit}
    ) e on true
    order by e.id
  `.execute(em.getKysely());
  const [{ oldest, newest: newestId, newestMark, markThere } = EMPTY_LOG] = rows;
  const newest = { id: newestId, mark: newestMark };
  const events = rows.flatMap(toLoggedEvent);
  return {
    events,
    last: events.at(-1) ?? after,
    isFull: events.length === limit,
    newest,
    isContinuous: holds(after, { oldest, newest, markThere }),
  };
}

/** Behind the newest row. */
export async function readNewestPosition(em: SqlEntityManager): Promise<LogPosition> {
  const beyond = { id: Number.MAX_SAFE_INTEGER, mark: null };
  const { newest } = await readLogPage(em, beyond, 1);
  return newest;
}

/**
 * Removes a prefix of the log, never its newest row: `min(id)` and `max(id)` always say what can
 * be replayed. Events of a clock that was ahead keep nothing alive: the rows before and after them
 * would stay for as long as it was ahead.
 */
export async function removeOldEvents(
  deps: TransactionDeps,
  { asOf, latest }: CleanUpTime,
): Promise<number> {
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

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("events").where("id", "in", oldest),
  );
}

function toLoggedEvent({ id, mark, type, data, createdAt }: Row): LoggedEvent[] {
  return id === null ? [] : [{ id, mark, type, data, createdAt }];
}
