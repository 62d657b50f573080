import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { paginate } from "../../shared/page.ts";
import type { ListRenewalsInput, Renewal, RenewalList, RenewalStatus } from "../../shared/renewals.ts";
import { isSuperAdmin, type Role } from "../../shared/roles.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { containsPattern } from "../database/sql.ts";
import { orderOf } from "./order.ts";

/** Whoever looks, at a moment in Unix seconds. */
interface Viewer extends Identity {
  readonly now: number;
}

interface Identity {
  readonly id: string;
  readonly role: Role;
}

/** Requests that the caller may see, newest first unless another order is asked for. */
export async function listRenewals(
  deps: Pick<Deps, "em" | "clock">,
  caller: Caller,
  input: ListRenewalsInput,
): Promise<RenewalList> {
  const viewer = { ...caller, now: deps.clock.now() };
  const wanted = sql.join([isVisible(viewer), ...filters(viewer, input)], sql` and `);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from ${requests(viewer)} where ${wanted}
  `.execute(deps.em.getKysely());
  const { rows } = await sql<RenewalRecord>`
    ${selection(viewer)} where ${wanted} order by ${orderOf(input)} limit ${input.limit} offset ${(input.page - 1) * input.limit}
  `.execute(deps.em.getKysely());
  return {
    requests: rows.map((row) => presentRenewal(viewer, row)),
    pagination: paginate(input, counted[0]?.total ?? 0),
  };
}

/** Throws NOT_FOUND for requests of others as for those that do not exist. */
export async function getRenewal(
  deps: Pick<Deps, "clock"> & { readonly em: SqlEntityManager },
  caller: Identity,
  input: { readonly id: string },
): Promise<Renewal> {
  const found = await findRenewal(deps.em, { ...caller, now: deps.clock.now() }, input.id);
  if (found === null) throw new AppError("NOT_FOUND", "续费申请不存在");
  return found;
}

export async function findRenewal(em: SqlEntityManager, viewer: Viewer, id: string): Promise<Renewal | null> {
  const { rows } = await sql<RenewalRecord>`${selection(viewer)} where r.id = ${id} and ${isVisible(viewer)}`.execute(
    em.getKysely(),
  );
  return rows[0] === undefined ? null : presentRenewal(viewer, rows[0]);
}

interface RenewalRecord {
  readonly id: string;
  readonly host_id: string;
  readonly host_name: string;
  readonly ucloud_id: string;
  readonly cpu: number;
  readonly memory: number;
  readonly host_expire_time: number | null;
  readonly user_id: string;
  readonly user_name: string;
  readonly user_username: string;
  readonly user_email: string | null;
  readonly user_phone: string | null;
  readonly requested_duration: number;
  readonly status: RenewalStatus;
  readonly remark: string | null;
  readonly admin_remark: string | null;
  readonly created_at: number;
  readonly processed_at: number | null;
  readonly processed_by: string | null;
  readonly processed_by_name: string | null;
  readonly assigned_expire_time: number;
}

/**
 * Requests `r` with hosts `h`, and with `live`, the assignment that the client has now, for those who may know of the host no longer
 * than that lasts: the client itself not before it begins, either.
 */
function requests({ role, now }: Viewer): RawBuilder<unknown> {
  const withHosts = sql`renewals r join hosts h on h.id = r.host_id`;
  if (isSuperAdmin(role)) return withHosts;
  return sql`${withHosts} left join assignments live
    on live.host_id = r.host_id and live.user_id = r.user_id and live.ended_at is null
    ${role === "client" ? sql`and live.assigned_at <= ${now}` : sql``}`;
}

/** The host as it is now, or as it was when more time was asked for, once it was taken back. */
function hostColumn({ role }: Identity, name: "name" | "cpu" | "memory" | "expire_time"): RawBuilder<unknown> {
  const present = sql.ref(`h.${name}`);
  if (isSuperAdmin(role)) return present;
  return sql`case when live.id is null and r.host_name is not null then ${sql.ref(`r.host_${name}`)} else ${present} end`;
}

/** The user as it is now, or as it was when it asked, once it is gone. */
function selection(viewer: Viewer): RawBuilder<unknown> {
  return sql`
    select r.id, r.host_id, ${hostColumn(viewer, "name")} as host_name, h.ucloud_id,
      ${hostColumn(viewer, "cpu")} as cpu, ${hostColumn(viewer, "memory")} as memory,
      ${hostColumn(viewer, "expire_time")} as host_expire_time, r.user_id, coalesce(u.name, r.user_name) as user_name, coalesce(u.username, r.user_username) as user_username,
      case when u.id is null then r.user_email else u.email end as user_email,
      case when u.id is null then r.user_phone else u.phone end as user_phone,
      r.requested_duration, r.status, r.remark, r.admin_remark, r.created_at, r.processed_at, r.processed_by,
      r.processed_by_name, a.assigned_expire_time
    from ${requests(viewer)}
    join assignments a on a.id = r.assignment_id
    left join users u on u.id = r.user_id`;
}

/** The row scope of the contract, on renewals `r`. */
function isVisible({ id, role }: Identity): RawBuilder<SqlBool> {
  switch (role) {
    case "super_admin":
      return sql`true`;
    case "admin":
      return sql`r.user_id in (select c.id from users c where c.admin_id = ${id})`;
    case "client":
      return sql`r.user_id = ${id}`;
  }
}

function filters(caller: Identity, { search, status }: ListRenewalsInput): RawBuilder<SqlBool>[] {
  const wanted = search?.trim() ?? "";
  const pattern = containsPattern(wanted);
  return [
    ...(status === undefined ? [] : [sql<SqlBool>`r.status = ${status}`]),
    ...(wanted === ""
      ? []
      : [
          sql<SqlBool>`(lower(r.user_username) like lower(${pattern}) or lower(${hostColumn(caller, "name")}) like lower(${pattern}))`,
        ]),
  ];
}

/** The provider's expiry and who decided are the operator's business. */
function presentRenewal({ role }: Identity, row: RenewalRecord): Renewal {
  const isClient = role === "client";
  return {
    id: row.id,
    host: {
      id: row.host_id,
      name: row.host_name,
      ucloudId: row.ucloud_id,
      cpu: row.cpu,
      memory: row.memory,
      expireTime: isClient ? row.assigned_expire_time : row.host_expire_time,
    },
    user: {
      id: row.user_id,
      name: row.user_name,
      username: row.user_username,
      email: row.user_email,
      phone: row.user_phone,
    },
    requestedDuration: row.requested_duration,
    status: row.status,
    remark: row.remark,
    adminRemark: row.admin_remark,
    createdAt: row.created_at,
    processedAt: row.processed_at,
    processedBy:
      isClient || row.processed_by === null ? null : { id: row.processed_by, name: row.processed_by_name ?? "" },
    assignedExpireTime: row.assigned_expire_time,
  };
}
