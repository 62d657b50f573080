import { Migration } from "@mikro-orm/migrations";

/** Replicas of the previous version neither read nor write the column. */
export class HeldHosts extends Migration {
  override up(): void {
    this.addSql("alter table hosts add column missing_since bigint");
  }
}
