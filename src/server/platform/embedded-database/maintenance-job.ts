import type { MikroORM } from "@mikro-orm/postgresql";
import { type QueryExecutorProvider, sql } from "kysely";
import type { Job } from "../jobs/job.ts";
import type { Log } from "../log.ts";

const CHECKPOINT_AFTER_BYTES = 32 * 1024 * 1024;

/** Does what the autovacuum and checkpointer processes do: the embedded PostgreSQL has neither. */
export function maintenanceJob({ orm, log }: { readonly orm: MikroORM; readonly log: Log }): Job {
  return {
    name: "maintenance",
    cron: "* * * * *",
    pollSeconds: 10,
    async handle() {
      const db = orm.em.fork().getKysely();
      const vacuumed = await vacuumTables(db);
      const checkpointed = await checkpoint(db);
      if (checkpointed || vacuumed.length > 0) {
        log.debug({ checkpointed, vacuumed }, "embedded database maintained");
      }
    },
  };
}

/** By autovacuum's own thresholds. Returns the names of the tables. */
async function vacuumTables(db: QueryExecutorProvider): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select s.schemaname as schema, s.relname as name
    from pg_stat_user_tables s
    join pg_class c on c.oid = s.relid
    cross join lateral (select greatest(c.reltuples, 0) as rows) t
    where s.n_dead_tup > 50 + 0.2 * t.rows
      or s.n_mod_since_analyze > 50 + 0.1 * t.rows
      or s.n_ins_since_vacuum > 1000 + 0.2 * t.rows
  `.execute(db);
  for (const { schema, name } of tables) {
    await sql`vacuum (analyze) ${sql.id(schema, name)}`.execute(db);
  }
  return tables.map(({ name }) => name);
}

/** Whether so much was written since the last one that another was due. */
async function checkpoint(db: QueryExecutorProvider): Promise<boolean> {
  const due = await sql`
    select
    from pg_control_checkpoint()
    where pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > ${CHECKPOINT_AFTER_BYTES}
  `.execute(db);
  if (due.rows.length === 0) return false;

  await sql`checkpoint`.execute(db);
  return true;
}
