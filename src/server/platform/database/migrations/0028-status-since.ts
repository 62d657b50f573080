import { Migration } from "@mikro-orm/migrations";

/**
 * Since when a host has its status. Null for hosts from before, until their status changes: nothing
 * tells when the present one began. The trigger (`hosts/entity.ts`) also dates what a replica of an
 * earlier version writes, which does not know the column; its new hosts stay without a date.
 */
export class StatusSince extends Migration {
  override up(): void {
    this.addSql("alter table hosts add column status_since bigint");
    this.addSql(`
      create function hosts_date_status_fn() returns trigger as $$ begin
        new.status_since := new.changed_at; return new;
      end; $$ language plpgsql`);
    this.addSql(`
      create trigger date_status before update on hosts
      for each row when (old.status is distinct from new.status)
      execute function hosts_date_status_fn()`);
  }
}
