import { Migration } from "@mikro-orm/migrations";

/** Keeps the number of hosts that are not gone. Dropped by PlainSchema. */
export class PresentHosts extends Migration {
  override up(): void {
    this.addSql("alter table hosts_version add column present bigint not null default 0");
    this.addSql("drop trigger hosts_version on hosts");
    this.addSql(`
      create or replace function change_hosts_version() returns trigger language plpgsql as $$
      declare
        change bigint := 0;
      begin
        if tg_op in ('INSERT', 'UPDATE') then
          change := change + (select count(*) from added where gone_at is null);
        end if;
        if tg_op in ('UPDATE', 'DELETE') then
          change := change - (select count(*) from removed where gone_at is null);
        end if;
        insert into hosts_version (id, version, present) values (1, gen_random_uuid(), greatest(change, 0))
        on conflict (id) do update set version = excluded.version,
          present = case when tg_op = 'TRUNCATE' then 0 else hosts_version.present + change end;
        return null;
      end $$`);
    this.addSql(`
      create trigger hosts_inserted after insert on hosts referencing new table as added
      for each statement execute function change_hosts_version()`);
    this.addSql(`
      create trigger hosts_updated after update on hosts referencing old table as removed new table as added
      for each statement execute function change_hosts_version()`);
    this.addSql(`
      create trigger hosts_deleted after delete on hosts referencing old table as removed
      for each statement execute function change_hosts_version()`);
    this.addSql(`
      create trigger hosts_truncated after truncate on hosts
      for each statement execute function change_hosts_version()`);
    this.addSql(`
      insert into hosts_version (id, version, present)
      select 1, gen_random_uuid(), count(*) from hosts where gone_at is null
      on conflict (id) do update set version = excluded.version, present = excluded.present`);
  }
}
