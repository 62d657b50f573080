import { Migration } from "@mikro-orm/migrations";

/** The end of a host counts only for prepaid ones, so every query reads an expression, and none this index. */
export class UnreadIndex extends Migration {
  override up(): void {
    this.addSql("drop index hosts_expire_time");
  }
}
