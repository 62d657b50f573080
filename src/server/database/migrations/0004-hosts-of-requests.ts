import { Migration } from "@mikro-orm/migrations";

/**
 * A request keeps its host as it was when it was made. A client whose host was taken back is shown that: what the host is called and
 * holds by then is the business of whoever has it now. Null in rows of a version before that still runs beside this one.
 */
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
