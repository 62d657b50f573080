import { Migration } from "@mikro-orm/migrations";

/**
 * Mass removals are counted as the top of `modules/sync/absence.ts` says, and the hosts that are
 * gone have an index of their own, so that counting reads none of those of earlier years.
 *
 * Earlier versions also held what is no mass removal: hosts that live for hours, and single hosts
 * that were deleted while a mass removal waited for a person. These holds are released here, and the
 * next run judges their hosts anew. A hold is what one run or refresh held. It is measured as it
 * would be now, at its time, with what was removed in the day before, and where the numbers are not
 * known any more so that in doubt a person decides:
 *
 * - The hosts that it is compared with are its own and those that have been there since the first
 *   hold.
 * - A hold of the configuration's first day stays.
 * - Hosts of a run that is not stored any more count, whatever their age.
 *
 * The released hosts count as new: all that were held in months would else be a mass removal
 * together. A replica of an earlier version that runs a sync after this may hold them again.
 */
export class CountedRemovals extends Migration {
  override up(): void {
    this.addSql("create index hosts_gone on hosts (config_id, gone_at) where gone_at is not null");
    this.addSql(`
      with held as (
        select h.id, h.config_id, h.present_since,
          coalesce(h.held_run_id::text, h.missing_since::text) as hold,
          coalesce(r.started_at, h.missing_since) as held_at,
          r.id is not null as is_run_stored
        from hosts h
        left join sync_runs r on r.id = h.held_run_id
        where h.gone_at is null and h.held_reason = 'mass-removal'
      ),
      first_hosts as (
        select config_id, min(present_since) as first_at
        from hosts
        where config_id in (select config_id from held)
        group by config_id
      ),
      holds as (
        select config_id, hold, max(held_at) as held_at, max(held_at) - 86400 as day_before,
          count(*) filter (where present_since <= held_at - 86400 or not is_run_stored) as held
        from held
        join first_hosts using (config_id)
        group by config_id, hold, first_at
        having max(held_at) - 86400 >= first_at
      ),
      lasting as (
        select h.config_id, count(*) as hosts
        from hosts h
        join (
          select config_id, min(day_before) as day_before from holds group by config_id
        ) first_hold using (config_id)
        where h.gone_at is null
          and h.present_since <= first_hold.day_before
          and h.held_reason is distinct from 'mass-removal'
        group by h.config_id
      ),
      measured as materialized (
        select o.config_id, o.hold, o.held, o.held + coalesce(l.hosts, 0) as hosts, (
            select count(*)
            from hosts g
            where g.config_id = o.config_id
              and g.gone_at > o.day_before
              and g.gone_at <= o.held_at
              and g.removal_confirmed_at is null
              and g.present_since <= o.day_before
          ) as removed
        from holds o
        left join lasting l using (config_id)
      )
      update hosts h
      set missing_since = null, held_reason = null, held_run_id = null,
        present_since = extract(epoch from now())::bigint
      from held d
      join measured m using (config_id, hold)
      where h.id = d.id
        and (
          m.held = 0
          or m.held + m.removed < 5
          or m.held + m.removed <= 0.3 * (m.hosts + m.removed)
        )`);
  }
}
