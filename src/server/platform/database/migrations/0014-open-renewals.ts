import { Migration } from "@mikro-orm/migrations";

/**
 * One open request (pending or approved) per client and host, and indexes for lists of a million
 * requests. Earlier versions allowed a second request after an approval, and left an approved
 * request open when its host was taken back, so both are closed here first:
 *
 * - Open requests of assignments that have ended are cancelled at that end.
 * - Of several open ones the newest approved one stays, or else the newest. The others are
 *   cancelled with a remark that says why, and stay in the history.
 *
 * The lock lets nobody add another one before the index is there; reading goes on. A replica of an
 * earlier version answers a second request with 409 from then on, as it does for pending ones.
 */
export class OpenRenewals extends Migration {
  override up(): void {
    this.addSql("lock table renewals in share row exclusive mode");
    this.addSql(`
      update renewals r
      set status = 'cancelled', processed_at = a.ended_at, processed_by = null, processed_by_name = null
      from assignments a
      where a.id = r.assignment_id and a.ended_at is not null and r.status in ('pending', 'approved')`);
    this.addSql(`
      update renewals r
      set status = 'cancelled', processed_at = extract(epoch from now())::bigint,
        processed_by = null, processed_by_name = null,
        admin_remark = '同一主机只能有一个未完成的续费申请，系统升级时已取消重复的申请'
      from (
        select id, row_number() over (partition by user_id, host_id order by status, id desc) as position
        from renewals
        where status in ('pending', 'approved')
      ) o
      where o.id = r.id and o.position > 1`);
    this.addSql(`
      create unique index renewals_open on renewals (user_id, host_id) where status in ('pending', 'approved')`);
    this.addSql("drop index renewals_pending");

    this.addSql("create index renewals_count on renewals (status)");
    this.addSql("create index renewals_of_users on renewals (user_id, status, host_id)");
    this.addSql("create index renewals_of_hosts on renewals (host_id)");
    this.addSql(
      "create index renewals_of_assignments on renewals (assignment_id, id desc, status)",
    );
    this.addSql("create index assignments_by_end on assignments (assigned_expire_time, id)");
    this.addSql(`
      create index assignments_ends on assignments (host_id, assigned_expire_time, assigned_at, user_id)
      where ended_at is null`);
    this.addSql("create index assignments_history on assignments (user_id, id desc)");
    // Counts read indexes alone where the pages were vacuumed, and the newest are the ones that are read.
    this.addSql(`
      alter table renewals
      set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02)`);
  }
}
