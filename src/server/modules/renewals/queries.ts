import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, sql } from "kysely";
import type { IdInput } from "../../../shared/ids.ts";
import { paginate } from "../../../shared/page.ts";
import type { ListRenewalsInput, Renewal, RenewalList } from "../../../shared/renewals.ts";
import { isClient, isSuperAdmin } from "../../../shared/roles.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { type Viewer, viewerOf } from "../hosts/access.ts";
import { findScope, isLive, isOfClients, resolveFilter } from "./filters.ts";
import { countByStatus, findPage } from "./page.ts";

type ReadDeps = Pick<Deps, "em" | "clock">;

export function renewalNotFound(): AppError {
  return new AppError("NOT_FOUND", "续费申请不存在");
}

/** First the counts, then the ids of the page, then its rows: each reads as little as it can. */
export async function listRenewals(
  deps: ReadDeps,
  caller: Caller,
  input: ListRenewalsInput,
): Promise<RenewalList> {
  const { status, userId } = input;
  if (userId !== undefined && isClient(caller.role))
    throw invalidField("userId", "不支持的参数 userId");
  const viewer = viewerOf(deps, caller);
  const filter = await resolveFilter(deps.em, viewer, input);
  const counts = await countByStatus(deps.em, viewer, filter);
  const total =
    status === undefined
      ? Object.values(counts).reduce((sum, count) => sum + count, 0)
      : counts[status];
  const ids = await findPage(deps.em, { ...input, viewer, filter, total });
  return {
    requests: await readRenewals(deps.em, viewer, ids, filter.clientIds),
    pagination: paginate(input, total),
    counts,
  };
}

export async function getRenewal(
  { em, clock }: ReadDeps,
  caller: Caller,
  { id }: IdInput,
): Promise<Renewal> {
  const viewer = viewerOf({ clock }, caller);
  const scope = await findScope(em, viewer);
  const [renewal] = await readRenewals(em, viewer, [id], scope);
  if (renewal === undefined) throw renewalNotFound();
  return renewal;
}

/** Those of the requests that are of these clients (null for all), in the order of the ids. */
async function readRenewals(
  em: SqlEntityManager,
  viewer: Viewer,
  ids: readonly string[],
  clientIds: readonly string[] | null,
): Promise<Renewal[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Renewal>`
    select ${renewalColumns(viewer)}
    from unnest(${[...ids]}::uuid[]) with ordinality as page (id, position)
    join renewals r on r.id = page.id
    join hosts h on h.id = r.host_id
    join assignments a on a.id = r.assignment_id
    left join users u on u.id = r.user_id
    left join assignments live on ${isLive(viewer)}
    where ${isOfClients("r", { clientIds })}
    order by page.position
  `.execute(em.getKysely());
  return rows.map((row) => presentRenewal(row, viewer));
}

export async function alreadyDecided(
  deps: ReadDeps,
  caller: Caller,
  input: IdInput,
): Promise<AppError> {
  const { status, processedBy } = await getRenewal(deps, caller, input);
  const by = processedBy === null ? "已" : `已由“${processedBy.name}”`;
  return new AppError("STATE_CONFLICT", `该申请${by}${OUTCOMES[status]}，本次操作未生效`);
}

const OUTCOMES = {
  pending: "处理",
  approved: "批准",
  rejected: "拒绝",
  completed: "完成",
  cancelled: "取消",
} as const;

/** The host as it is now. Once it was taken back, clients and admins read what it was when the request was made. */
function hostColumn(
  { role }: Viewer,
  name: "name" | "cpu" | "memory" | "expire_time",
): RawBuilder<unknown> {
  const [present, kept] = [sql.ref(`h.${name}`), sql.ref(`r.host_${name}`)];
  if (isSuperAdmin(role)) return sql`${present}`;
  return sql`case when live.id is null then ${kept} else ${present} end`;
}

/**
 * A `Renewal` before fields are withheld, of renewals `r`, their hosts `h`, their assignments `a`,
 * their clients `u`, who may be deleted, and `live`, the present assignment of the same host. The
 * client is shown as it is now, or once it is deleted as it was when the request was made.
 */
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
  return {
    id,
    user,
    requestedDuration,
    status,
    remark,
    adminRemark,
    ...dates,
    host: shownHost,
    processedBy: null,
  };
}
