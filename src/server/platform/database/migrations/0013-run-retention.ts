import { Migration } from "@mikro-orm/migrations";

/** Finds the runs whose time is over, and the last success of a configuration that has failed ever since. */
export class RunRetention extends Migration {
  override up(): void {
    this.addSql("create index sync_runs_finished on sync_runs (finished_at)");
    this.addSql(`
      create index sync_runs_success on sync_runs (config_id, id desc) include (finished_at)
      where status = 'succeeded'`);
  }
}
