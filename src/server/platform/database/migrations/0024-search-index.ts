import { Migration } from "@mikro-orm/migrations";

/**
 * The addresses of a host as a text that a search compares as it is, and an index of all parts of
 * three letters of names and provider's ids. There is no index
 *
 * - on a server where the extension is gone that the first migration made: searches read every host
 *   then, and each start says so (`search-index.ts` of the hosts);
 * - on the embedded database, where it costs a sync more than it saves the searches of a small team.
 *
 * The table is written anew. A replica of an earlier version goes on writing hosts, because the
 * database computes the column.
 */
export class SearchIndex extends Migration {
  override up(): void {
    this.addSql(`
      alter table hosts add column address_text text collate "C" not null
        generated always as (lower(jsonb_path_query_array(ip_set, '$[*].IP') #>> '{}')) stored`);
    this.addSql(`
      do $index$
      begin
        if version() not like '%PGlite%' and exists (
          select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)
        ) then
          create index hosts_search on hosts using gin (search_text gin_trgm_ops);
        end if;
      end
      $index$`);
  }
}
