import { Migration } from "@mikro-orm/migrations";

/** Drops what databases of earlier versions had in place of the foreign key from hosts to configurations, and for counts. */
export class PlainSchema extends Migration {
  override up(): void {
    this.addSql(
      "drop function if exists change_hosts_version, assert_configs_of_hosts, let_hosts_of_config_go cascade",
    );
    this.addSql("drop table if exists hosts_version");
    this.addSql("alter table hosts drop constraint if exists hosts_config_id_fkey");
    this.addSql(`
      alter table hosts add constraint hosts_config_id_fkey
      foreign key (config_id) references configs (id) on delete set null not valid`);
    this.addSql(`
      update hosts set config_id = null
      where config_id is not null and not exists (select from configs where configs.id = hosts.config_id)`);
    this.addSql("alter table hosts validate constraint hosts_config_id_fkey");
  }
}
