import { Migration } from "@mikro-orm/migrations";

/**
 * How far the clean-up has come. A database that is in use begins with the time of its newest event
 * or run, and not with that of its clock, which may be wrong at the upgrade; an empty one without a
 * row. A replica of an earlier version goes on to clean up by its own clock.
 */
export class CleanUp extends Migration {
  override up(): void {
    this.addSql(`
      create table clean_up (
        id integer not null primary key constraint clean_up_id_check check (id = 1),
        cleaned_up_to bigint not null
      )`);
    this.addSql(`
      insert into clean_up (id, cleaned_up_to)
      select 1, least(newest.at, extract(epoch from now())::bigint)
      from (
        select greatest(
          (select max(created_at) from events),
          (select max(started_at) from sync_runs)
        ) as at
      ) newest
      where newest.at is not null`);
  }
}
