import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { IdInput } from "../../shared/ids.ts";
import { paginate } from "../../shared/page.ts";
import type { ListRenewalsInput, Renewal, RenewalList } from "../../shared/renewals.ts";
import { isClient, isSuperAdmin } from "../../shared/roles.ts";
import { MAX_UNIX_SECONDS } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { containsPattern } from "../database/sql.ts";
import { type Viewer, viewerOf } from "../hosts/scope.ts";

type ReadDeps = Pick<Deps, "em" | "clock">;

export function renewalNotFound(): AppError {
  return new AppError("NOT_FOUND", "续费申请不存在");
}

export async function listRenewals(deps: ReadDeps, caller: Caller, input: ListRenewalsInput): Promise<RenewalList> {
  const { status, userId, sort, order, page, limit } = input;
  if (userId !== undefined && isClient(caller.role)) throw invalidField("userId", "不支持的参数 userId");
  const viewer = viewerOf(deps, caller);
  const db = deps.em.getKysely();
  const ofUser = userId === undefined ? sql`true` : sql`r.user_id = ${userId}`;
  const wanted = sql`${isVisibleRenewal(viewer)} and ${ofUser} and ${matches(viewer, input.search)}`;
  const found = sql`from ${renewalsOf(viewer)} where ${wanted}`;
  const counted = await sql<Pick<Renewal, "status"> & { readonly count: number }>`
    select r.status, count(*) as count ${found} group by r.status
  `.execute(db);
  const counts = { pending: 0, approved: 0, rejected: 0, completed: 0, cancelled: 0 };
  for (const { status, count } of counted.rows) counts[status] = count;
  const all = counted.rows.reduce((sum, { count }) => sum + count, 0);

  const direction = order === "asc" ? sql`asc` : sql`desc`;
  const sorted = sort === "createdAt" ? sql`r.id ${direction}` : sql`a.assigned_expire_time ${direction}, r.id desc`;
  const { rows } = await sql<Renewal>`
    select ${renewalColumns(viewer)} ${found} and ${status === undefined ? sql`true` : sql`r.status = ${status}`}
    order by ${sorted} limit ${limit} offset ${(page - 1) * limit}
  `.execute(db);
  return {
    requests: rows.map((row) => presentRenewal(row, viewer)),
    pagination: paginate(input, status === undefined ? all : counts[status]),
    counts,
  };
}

export async function getRenewal({ em, clock }: ReadDeps, caller: Caller, { id }: IdInput): Promise<Renewal> {
  const viewer = viewerOf({ clock }, caller);
  const { rows } = await sql<Renewal>`
    select ${renewalColumns(viewer)} from ${renewalsOf(viewer)} where r.id = ${id} and ${isVisibleRenewal(viewer)}
  `.execute(em.getKysely());
  const [row] = rows;
  if (row === undefined) throw renewalNotFound();
  return presentRenewal(row, viewer);
}

export async function alreadyDecided(deps: ReadDeps, caller: Caller, input: IdInput): Promise<AppError> {
  const { status, processedBy } = await getRenewal(deps, caller, input);
  const by = processedBy === null ? "已" : `已由“${processedBy.name}”`;
  return new AppError("STATE_CONFLICT", `该申请${by}${OUTCOMES[status]}，本次操作未生效`);
}

const OUTCOMES = { pending: "处理", approved: "批准", rejected: "拒绝", completed: "完成", cancelled: "取消" } as const;

/** Condition on renewals `r` of clients `u`: the row scope of every read. */
function isVisibleRenewal({ id, role }: Viewer): RawBuilder<SqlBool> {
  switch (role) {
    case "super_admin":
      return sql`true`;
    case "admin":
      return sql`u.admin_id = ${id}`;
    case "client":
      return sql`r.user_id = ${id}`;
  }
}

/** Requests `r`, their client `u` (null once deleted), and `live`, the client's current assignment of the host, if visible. */
function renewalsOf({ role, now }: Viewer): RawBuilder<unknown> {
  return sql`
    renewals r join hosts h on h.id = r.host_id join assignments a on a.id = r.assignment_id
    left join users u on u.id = r.user_id
    left join assignments live on live.host_id = r.host_id and live.user_id = r.user_id and live.ended_at is null
      and live.assigned_at <= ${isClient(role) ? now : MAX_UNIX_SECONDS}`;
}

function matches(viewer: Viewer, search = ""): RawBuilder<SqlBool> {
  const pattern = containsPattern(search.trim());
  return sql`(r.user_username ilike ${pattern} or ${hostColumn(viewer, "name")} ilike ${pattern})`;
}

/** The host as it is now. Once it was taken back, clients and admins read what it was when the request was made. */
function hostColumn({ role }: Viewer, name: "name" | "cpu" | "memory" | "expire_time"): RawBuilder<unknown> {
  const [present, kept] = [sql.ref(`h.${name}`), sql.ref(`r.host_${name}`)];
  if (isSuperAdmin(role)) return sql`${present}`;
  return sql`case when live.id is null then ${kept} else ${present} end`;
}

/** A `Renewal` before fields are withheld. The client as it is now, or once it is deleted as it was when the request was made. */
function renewalColumns(viewer: Viewer): RawBuilder<unknown> {
  return sql`
    r.id, r.requested_duration as "requestedDuration", r.status, r.remark, r.admin_remark as "adminRemark",
    r.created_at as "createdAt", r.processed_at as "processedAt", a.assigned_expire_time as "assignedExpireTime",
    json_build_object('id', h.id, 'name', ${hostColumn(viewer, "name")}, 'ucloudId', h.ucloud_id,
      'cpu', ${hostColumn(viewer, "cpu")}, 'memory', ${hostColumn(viewer, "memory")},
      'expireTime', ${hostColumn(viewer, "expire_time")}) as host,
    json_build_object('id', r.user_id, 'name', coalesce(u.name, r.user_name),
      'username', coalesce(u.username, r.user_username),
      'email', case when u.id is null then r.user_email else u.email end,
      'phone', case when u.id is null then r.user_phone else u.phone end) as "user",
    case when r.processed_by is not null then
      json_build_object('id', r.processed_by, 'name', coalesce(r.processed_by_name, '')) end as "processedBy"`;
}

/** The provider's expiry and the name of the super admin who decided are not for clients. */
function presentRenewal(renewal: Renewal, { role }: Viewer): Renewal {
  if (!isClient(role)) return renewal;
  const { id, host, user, requestedDuration, status, remark, adminRemark } = renewal;
  const { createdAt, processedAt, assignedExpireTime } = renewal;
  const dates = { createdAt, processedAt, assignedExpireTime };
  const shownHost = { ...host, expireTime: assignedExpireTime };
  return { id, user, requestedDuration, status, remark, adminRemark, ...dates, host: shownHost, processedBy: null };
}
