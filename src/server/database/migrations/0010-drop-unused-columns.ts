import { Migration } from "@mikro-orm/migrations";

/** What migrations up to 0005 kept for replicas of versions before it. */
export class DropUnusedColumns extends Migration {
  override up(): void {
    this.addSql("drop view hosts_version");
    this.addSql(`
      alter table sync_runs
      drop column lease_owner, drop column lease_until, drop column fence, drop column cancel_requested`);
    this.addSql("alter table sync_partitions drop column empty_since");
  }
}
