import { Migration } from "@mikro-orm/migrations";

/** A request keeps its host as it was, for a client whose host was taken back. Null in rows that an older replica writes. */
export class HostsOfRequests extends Migration {
  override up(): void {
    this.addSql(`
      alter table renewals add column host_name text, add column host_cpu int, add column host_memory int,
        add column host_expire_time bigint`);
    this.addSql(`
      update renewals r
      set host_name = h.name, host_cpu = h.cpu, host_memory = h.memory, host_expire_time = h.expire_time
      from hosts h where h.id = r.host_id`);
  }
}
