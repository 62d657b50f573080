import { Migration } from "@mikro-orm/migrations";

/**
 * Forgets the ends of hosts that are not prepaid: they are ends of hours, which versions before
 * this one stored, and copied into requests. A replica of such a version goes on storing them until
 * it is replaced. Reads leave them out (`providerEnd`), and the next sync of this version forgets
 * them again without a change to tell (`compareHosts`).
 *
 * Requests come first and hosts are locked in the order of their provider's ids, as by everybody.
 * Hosts that were billed by the hour at the request and are prepaid now keep the end in the request.
 */
export class PrepaidEnds extends Migration {
  override up(): void {
    this.addSql(`
      update renewals r set host_expire_time = null
      from hosts h
      where h.id = r.host_id
        and r.host_expire_time is not null
        and h.charge_type not in ('Year', 'Month')`);
    this.addSql(`
      update hosts h set expire_time = null
      from (
        select id
        from hosts
        where expire_time is not null and charge_type not in ('Year', 'Month')
        order by ucloud_id
        for update
      ) billed_by_time
      where h.id = billed_by_time.id`);
  }
}
