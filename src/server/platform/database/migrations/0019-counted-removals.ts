import { Migration } from "@mikro-orm/migrations";

/**
 * Mass removals are counted as the top of `modules/sync/absence.ts` says, and the hosts that are
 * gone have an index of their own, so that counting reads none of those of earlier years.
 *
 * Earlier versions also held what is no mass removal: hosts that live for hours, and single hosts
 * that were deleted while a mass removal waited for a person. These holds are released here, and the
 * next run judges their hosts anew. A hold is what one run or refresh held, and it is measured as it
 * would be now, at its time: by the hosts that were there a day before, without those whose removal
 * a person confirmed and those of other holds. Where the run is not stored any more, its hosts count
 * whatever their age, and a hold of the first day stays, so that in doubt a person decides.
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
      holds as (
        select config_id, hold, max(held_at) as held_at, max(held_at) - 86400 as day_before,
          count(*) filter (where present_since <= held_at - 86400 or not is_run_stored) as held
        from held
        group by config_id, hold
      ),
      counted as (
        select o.*, o.held + (
          select count(*)
          from hosts g
          where g.config_id = o.config_id
            and g.gone_at > o.day_before
            and g.gone_at <= o.held_at
            and g.removal_confirmed_at is null
            and g.present_since <= o.day_before
        ) as removed
        from holds o
      ),
      released as (
        select c.config_id, c.hold
        from counted c
        where exists (
            select
            from hosts h
            where h.config_id = c.config_id
              and h.present_since <= c.day_before
              and (h.gone_at is null or h.gone_at > c.day_before)
              and h.removal_confirmed_at is null
          )
          and case
            when c.held = 0 or c.removed < 5 then true
            else c.removed <= 0.3 * (
              select count(*)
              from hosts h
              where h.config_id = c.config_id
                and h.present_since <= c.day_before
                and (h.gone_at is null or h.gone_at > c.day_before)
                and h.removal_confirmed_at is null
                and (
                  h.held_reason is distinct from 'mass-removal'
                  or coalesce(h.held_run_id::text, h.missing_since::text) = c.hold
                )
            )
          end
      )
      update hosts h
      set missing_since = null, held_reason = null, held_run_id = null,
        present_since = extract(epoch from now())::bigint
      from held d
      join released using (config_id, hold)
      where h.id = d.id`);
  }
}
