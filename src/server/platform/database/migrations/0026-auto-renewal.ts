import { Migration } from "@mikro-orm/migrations";

/**
 * Whether the provider renews a host by itself. Null until the next reading, which writes it without
 * a change to tell (`compareHosts`). A replica of an earlier version leaves the column as it is.
 *
 * It is one of the fields that the fingerprint stands for, so that is computed anew: the table is
 * written once more. Until the next reading, and to replicas of earlier versions, each host seems to
 * differ and is compared field by field.
 */
export class AutoRenewal extends Migration {
  override up(): void {
    this.addSql("alter table hosts add column auto_renew boolean");
    this.addSql(String.raw`
      alter table hosts drop column fingerprint, add column fingerprint text not null
        generated always as (encode(sha256(replace(
          octet_length(zone)::text || ':' || zone
          || octet_length(name)::text || ':' || name
          || octet_length(os_name)::text || ':' || os_name
          || octet_length(os_type)::text || ':' || os_type
          || octet_length(status)::text || ':' || status
          || octet_length(provider_status)::text || ':' || provider_status
          || octet_length(charge_type)::text || ':' || charge_type
          || cpu::text || ',' || memory::text || ',' || disk::text || ','
          || coalesce(create_time::text, '') || ','
          || coalesce(expire_time::text, '') || ','
          || coalesce(auto_renew::text, '') || ','
          || ip_set::text, '\', '\\')::bytea), 'hex')) stored`);
  }
}
