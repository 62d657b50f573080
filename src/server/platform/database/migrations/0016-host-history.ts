import { Migration } from "@mikro-orm/migrations";

/**
 * The history of hosts, and a fingerprint of what the provider said of each.
 *
 * The fingerprint is computed by the database from the columns that it stands for. So it is true
 * whoever writes them, also a replica of the version before, which does not know it.
 * `fingerprintOf` in `modules/hosts/fingerprint.ts` computes the same from an answer of the provider.
 * It is SHA-256 and not MD5, which servers in FIPS mode refuse; the cast to bytes, unlike
 * `convert_to`, may stand in a generated column. Numbers are cast to text one by one: releases of
 * PostgreSQL before February 2024 refuse to put a number and a text together there.
 *
 * This column rewrites the table, in the last statement, because the lock that keeps readers out
 * lasts until the commit: some two seconds for 100,000 hosts. No earlier migration did that to a
 * table of this size. It happens once, and calls wait for it instead of failing.
 *
 * `host_changes` has no foreign keys: hosts are never deleted, and checking them would double what
 * an entry costs. Its ids are UUIDv7 of the time `at`, so the primary key finds what is old.
 */
export class HostHistory extends Migration {
  override up(): void {
    this.addSql(`
      create table host_changes (
        id uuid not null primary key,
        host_id uuid not null,
        kind text not null,
        at bigint not null,
        run_id uuid,
        changes jsonb not null default '[]'
      )`);
    this.addSql("create index host_changes_of_hosts on host_changes (host_id, at desc, id desc)");
    this.addSql(`
      create index host_changes_of_runs on host_changes (run_id, kind, id)
      where run_id is not null`);
    // The history of a host reads its ended assignments, too, which no index led to.
    this.addSql("create index assignments_of_hosts on assignments (host_id)");
    this.addSql(`
      alter table hosts add column fingerprint text generated always as (
        encode(sha256(replace(
          octet_length(zone)::text || ':' || zone
          || octet_length(name)::text || ':' || name
          || octet_length(os_name)::text || ':' || os_name
          || octet_length(os_type)::text || ':' || os_type
          || octet_length(status)::text || ':' || status
          || octet_length(provider_status)::text || ':' || provider_status
          || octet_length(charge_type)::text || ':' || charge_type
          || cpu::text || ',' || memory::text || ',' || disk::text || ','
          || coalesce(create_time::text, '') || ',' || coalesce(expire_time::text, '') || ','
          || ip_set::text, '\\', '\\\\')::bytea), 'hex')
      ) stored not null`);
  }
}
