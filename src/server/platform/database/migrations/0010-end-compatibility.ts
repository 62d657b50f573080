import { Migration } from "@mikro-orm/migrations";

/** Drops what migrations up to 0005 kept for replicas of earlier versions, and fills in what those left empty while they ran on. */
export class EndCompatibility extends Migration {
  override up(): void {
    this.addSql("drop view if exists hosts_version");
    this.addSql(`
      alter table sync_runs
      drop column lease_owner, drop column lease_until, drop column fence, drop column cancel_requested`);
    this.addSql("alter table sync_partitions drop column empty_since");
    this.addSql(
      "update hosts set held_reason = 'mass-removal' where missing_since is not null and held_reason is null",
    );
    this.addSql(`
      update renewals r
      set host_name = h.name, host_cpu = h.cpu, host_memory = h.memory, host_expire_time = h.expire_time
      from hosts h where h.id = r.host_id and r.host_name is null`);
    this.addSql(`
      alter table renewals
      alter column host_name set not null, alter column host_cpu set not null, alter column host_memory set not null`);
  }
}
