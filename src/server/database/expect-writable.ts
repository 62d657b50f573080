import type { MikroORM } from "@mikro-orm/postgresql";

/** Raised by PostgreSQL rather than told to us: the pool then lets go of a connection that leads to a former primary. */
const EXPECT_WRITABLE = `do $$ begin
  if pg_is_in_recovery() or current_setting('transaction_read_only')::boolean then
    raise read_only_sql_transaction using message = 'the database is read-only';
  end if;
end $$`;

/** Asks whether the database answers and takes writes; rejects, as a write would, when it does not. */
export async function expectWritable(orm: MikroORM): Promise<void> {
  await orm.em.fork().execute(EXPECT_WRITABLE);
}
