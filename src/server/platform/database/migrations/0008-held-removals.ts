import { Migration } from "@mikro-orm/migrations";

/** Why and by which run a host is held. Reasons of existing holds are those that the newest runs give for their partitions. */
export class HeldRemovals extends Migration {
  override up(): void {
    this.addSql(`
      alter table hosts add column held_reason text, add column held_run_id uuid, add column dismissed_at bigint`);
    this.addSql(`
      update hosts h set held_reason = coalesce((
        select e->>'code' from sync_runs r cross join jsonb_array_elements(r.errors) e
        where r.config_id = h.config_id and e->>'code' in ('empty', 'unavailable')
          and e->>'region' = h.region and e->>'projectId' = h.project_id
        order by r.id desc limit 1
      ), 'mass-removal') where missing_since is not null`);
    this.addSql(
      "create index hosts_held on hosts (config_id, missing_since) where missing_since is not null",
    );
  }
}
