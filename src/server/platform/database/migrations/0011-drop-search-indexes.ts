import { Migration } from "@mikro-orm/migrations";

/** They cost a first sync more than they save a search; the planner never chose the index by state. */
export class DropSearchIndexes extends Migration {
  override up(): void {
    this.addSql("drop index hosts_search");
    this.addSql("drop index hosts_by_state");
    this.addSql("drop index hosts_by_name");
    this.addSql("create index hosts_by_name on hosts (sort_name, id) where gone_at is null");
  }
}
