import { Migration } from "@mikro-orm/migrations";

/**
 * By these columns a mass removal is measured over 24 hours. Hosts of before, and those that a replica
 * of the version before writes, count as present for long.
 */
export class RemovalWindow extends Migration {
  override up(): void {
    this.addSql(`
      alter table hosts
      add column present_since bigint not null default 0, add column removal_confirmed_at bigint`);
  }
}
