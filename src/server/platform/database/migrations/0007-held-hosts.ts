import { Migration } from "@mikro-orm/migrations";

export class HeldHosts extends Migration {
  override up(): void {
    this.addSql("alter table hosts add column missing_since bigint");
  }
}
