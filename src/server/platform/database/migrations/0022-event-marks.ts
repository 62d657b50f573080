import { Migration } from "@mikro-orm/migrations";

/**
 * A random mark for each event (platform/events/position.ts). A default that is set after the
 * column is made concerns new rows only, so the table is not rewritten, and replicas of the version
 * before write marks, too. Events of before have none.
 */
export class EventMarks extends Migration {
  override up(): void {
    this.addSql("alter table events add column mark integer");
    this.addSql("alter table events alter column mark set default floor(random() * 10000000)");
  }
}
