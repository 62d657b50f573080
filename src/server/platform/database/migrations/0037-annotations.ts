import { Migration } from "@mikro-orm/migrations";

/**
 * Tags of hosts, and notes about hosts and users. The database computes the tags in lower case, for
 * the filter by tags; few hosts may have one, so the index has only those. A replica of an earlier
 * version leaves the columns as they are.
 *
 * The table of hosts is written anew, after everything else that waits for a lock: who waits for
 * hosts meanwhile may have locked users, and the wait for those would throw the work away.
 */
export class Annotations extends Migration {
  override up(): void {
    this.addSql("alter table users add column note text");
    this.addSql(`
      alter table hosts
        add column tags jsonb not null default '[]',
        add column tag_keys jsonb not null
          generated always as (lower(tags #>> '{}')::jsonb) stored,
        add column note text`);
    this.addSql(`
      create index hosts_by_tag on hosts using gin (tag_keys jsonb_path_ops)
      where tags <> '[]'`);
  }
}
