import { setInterval as every } from "node:timers/promises";
import pg from "pg";
import type { EmbeddedDatabaseLog } from "./start-worker.ts";

const INTERVAL = 60_000;
const CHECKPOINT_AFTER_WAL_BYTES = 32 * 1024 * 1024;

const WRITTEN_SINCE_CHECKPOINT = `
  select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), (select redo_lsn from pg_control_checkpoint()))::float8 as bytes`;

/** The thresholds are PostgreSQL's own defaults for autovacuum. */
const TABLES_TO_VACUUM = `
  select format('%I.%I', s.schemaname, s.relname) as name
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid, lateral (select greatest(c.reltuples, 0) as rows) t
  where s.n_dead_tup > 50 + 0.2 * t.rows or s.n_mod_since_analyze > 50 + 0.1 * t.rows
    or s.n_ins_since_vacuum > 1000 + 0.2 * t.rows`;

/**
 * Does what PostgreSQL's background processes do, for here it has none: without this the write-ahead log grows until
 * the next stop and dead rows are never removed. Runs every minute until disposed.
 */
export function maintain(connection: pg.ClientConfig, log: EmbeddedDatabaseLog): AsyncDisposable {
  const stop = new AbortController();
  const ended = loop(connection, log, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

/** One round; exported for those who cannot wait for the minute. */
export async function maintainOnce(
  connection: pg.ClientConfig,
): Promise<{ checkpointed: boolean; vacuumed: string[] }> {
  const client = new pg.Client(connection);
  // A broken connection also rejects the query under way.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(TABLES_TO_VACUUM);
    const vacuumed = tables.rows.map((table) => table.name);
    for (const name of vacuumed) await client.query(`vacuum (analyze) ${name}`);
    const written = await client.query<{ bytes: number }>(WRITTEN_SINCE_CHECKPOINT);
    const checkpointed = (written.rows[0]?.bytes ?? 0) > CHECKPOINT_AFTER_WAL_BYTES;
    if (checkpointed) await client.query("checkpoint");
    return { checkpointed, vacuumed };
  } finally {
    await client.end();
  }
}

async function loop(connection: pg.ClientConfig, log: EmbeddedDatabaseLog, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of every(INTERVAL, undefined, { signal, ref: false })) {
      try {
        const done = await maintainOnce(connection);
        if (done.checkpointed || done.vacuumed.length > 0) log.debug(done, "embedded database maintained");
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, "maintenance of the embedded database failed");
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
