/**
 * Records the acts that the rows of assignments and requests tell of: all of them for the migration
 * that makes `host_acts`, and those that replicas of the version before go on writing
 * (`modules/history/record-missing-acts.ts`). The caller adds conditions on `m`, and the order.
 *
 * Only what is certain is recorded. Versions before kept one person and one remark for an
 * assignment and for a request, and overwrote them. So who assigned a host, took it back or
 * withdrew a request is not known, nor what was remarked on an assignment or on a completion, which
 * may keep the words of the approval. An approval that was decided about again left no trace.
 *
 * The id is made of the time, the kind and the row that tells of the act, so that two processes
 * that record at once make one row. By `step`, a host that is handed over within a second leaves
 * its client before the next one has it; only an assignment that begins and ends in one second ends
 * last.
 */
export const RECORD_ACTS_OF_ROWS = `
  insert into host_acts
    (id, host_id, kind, at, actor_type, actor_id, actor_name, user_id, user_name,
      assignment_id, renewal_id, changes, remark)
  select
    (
      lpad(to_hex(m.at * 1000), 12, '0')
      || '7' || substr(m.hash, 1, 3)
      || '8' || substr(m.hash, 4, 15)
    )::uuid,
    m.host_id, m.kind, m.at,
    case when m.actor_id is not null then 'user' end, m.actor_id, m.actor_name,
    m.user_id, m.user_name, m.assignment_id, m.renewal_id, m.changes, m.remark
  from (
    select told.*,
      encode(sha256((told.kind || coalesce(told.renewal_id, told.assignment_id))::bytea), 'hex')
        as hash
    from (
      select 'assigned' as kind, a.created_at as at, 2 as step,
        a.host_id, a.user_id, a.user_name, a.id as assignment_id, null::uuid as renewal_id,
        null::uuid as actor_id, null::text as actor_name,
        '[]'::jsonb as changes, null::text as remark
      from assignments a

      union all
      select 'unassigned', a.ended_at, case when a.ended_at = a.created_at then 5 else 1 end,
        a.host_id, a.user_id, a.user_name, a.id, null,
        null, null,
        '[]', null
      from assignments a
      where a.ended_at is not null

      union all
      select 'renewal_created', r.created_at, 3,
        r.host_id, r.user_id, r.user_name, r.assignment_id, r.id,
        r.user_id, r.user_name,
        jsonb_build_array(jsonb_build_object(
          'field', 'requestedDuration', 'from', null, 'to', r.requested_duration)),
        r.remark
      from renewals r

      union all
      select 'renewal_' || r.status, coalesce(r.processed_at, r.created_at), 4,
        r.host_id, r.user_id, r.user_name, r.assignment_id, r.id,
        case when r.status <> 'cancelled' then r.processed_by end,
        case when r.status <> 'cancelled' then r.processed_by_name end,
        '[]',
        case when r.status in ('approved', 'rejected') then r.admin_remark end
      from renewals r
      where r.status <> 'pending'
    ) told
  ) m`;

export const IN_THEIR_ORDER = "order by m.at, m.step, m.assignment_id";
