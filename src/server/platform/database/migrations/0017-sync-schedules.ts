import { Migration } from "@mikro-orm/migrations";

/**
 * Intervals of configurations: none until somebody chooses one. A replica of an earlier version goes
 * on adding configurations without, and runs with the time of the database as their default.
 */
export class SyncSchedules extends Migration {
  override up(): void {
    this.addSql(`
      alter table configs
        add column sync_interval_minutes integer
          constraint configs_sync_interval check (sync_interval_minutes in (15, 60, 360, 1440)),
        add column schedule_chosen_at bigint,
        add column schedule_resumed_at bigint`);
    this.addSql(`
      alter table sync_runs
        add column queued_at bigint not null default extract(epoch from now())::bigint`);
    this.addSql(`
      create index sync_runs_queued on sync_runs (config_id, queued_at desc, id desc)`);
    this.addSql(`
      create index sync_runs_last_success on sync_runs (config_id, id desc)
      where status in ('succeeded', 'partial')`);
    this.addSql(`
      create index hosts_unsettled on hosts (config_id)
      where gone_at is null and status in ('Starting', 'Stopping', 'Rebooting')`);
  }
}
