import { Migration } from "@mikro-orm/migrations";

/** Queries compare an expression of charge type and end, which an index of the end alone cannot serve. */
export class DropUnusedIndex extends Migration {
  override up(): void {
    this.addSql("drop index hosts_expire_time");
  }
}
