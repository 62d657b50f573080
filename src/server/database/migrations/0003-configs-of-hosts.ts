import { Migration } from "@mikro-orm/migrations";

/** Triggers instead of the foreign key from hosts to configurations. Dropped by PlainSchema. */
export class ConfigsOfHosts extends Migration {
  override up(): void {
    this.addSql("alter table hosts drop constraint hosts_config_id_fkey");
    this.addSql(`
      create function assert_configs_of_hosts() returns trigger language plpgsql as $$
      declare
        needed uuid;
      begin
        for needed in select distinct config_id from added where config_id is not null order by config_id loop
          perform from configs where id = needed for key share;
          if not found then
            raise foreign_key_violation using table = 'hosts', column = 'config_id',
              message = format('hosts refer to configuration %s, which does not exist', needed);
          end if;
        end loop;
        return null;
      end $$`);
    for (const [name, operation] of [
      ["hosts_inserted_configs", "insert"],
      ["hosts_updated_configs", "update"],
    ]) {
      this.addSql(`
        create trigger ${name} after ${operation} on hosts referencing new table as added
        for each statement execute function assert_configs_of_hosts()`);
    }
    this.addSql(`
      create function let_hosts_of_config_go() returns trigger language plpgsql as $$
      begin
        update hosts set config_id = null where config_id = old.id;
        return null;
      end $$`);
    this.addSql(`
      create trigger configs_deleted after delete on configs
      for each row execute function let_hosts_of_config_go()`);
  }
}
