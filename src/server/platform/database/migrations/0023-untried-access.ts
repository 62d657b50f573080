import { Migration } from "@mikro-orm/migrations";

/**
 * Whether a key or address still has to be tried by a scheduled run. A replica of an earlier version
 * goes on without it.
 */
export class UntriedAccess extends Migration {
  override up(): void {
    this.addSql("alter table configs add column is_access_untried boolean not null default false");
  }
}
