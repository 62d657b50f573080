import { Migration } from "@mikro-orm/migrations";

/** Restores the foreign key from hosts to configurations. Replicas of the previous version still read `hosts_version`: a view now. */
export class PlainSchema extends Migration {
  override up(): void {
    for (const name of [
      "hosts_inserted",
      "hosts_updated",
      "hosts_deleted",
      "hosts_truncated",
      "hosts_inserted_configs",
      "hosts_updated_configs",
    ]) {
      this.addSql(`drop trigger ${name} on hosts`);
    }
    this.addSql("drop trigger configs_deleted on configs");
    this.addSql("drop function change_hosts_version, assert_configs_of_hosts, let_hosts_of_config_go");
    this.addSql("drop table hosts_version");
    this.addSql(`
      create view hosts_version as
      select 1 as id, gen_random_uuid() as version, (select count(*) from hosts where gone_at is null) as present`);
    this.addSql(`
      alter table hosts add constraint hosts_config_id_fkey
      foreign key (config_id) references configs (id) on delete set null not valid`);
    this.addSql(`
      update hosts set config_id = null
      where config_id is not null and not exists (select from configs where configs.id = hosts.config_id)`);
    this.addSql("alter table hosts validate constraint hosts_config_id_fkey");
  }
}
