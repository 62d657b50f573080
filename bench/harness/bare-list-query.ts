import type { Pool } from "pg";

/** `user` makes it a client's list. */
export interface ListQuery {
  readonly page: number;
  readonly limit: number;
  readonly search: string | null;
  readonly user: string | null;
}

/** A page of hosts in the product's shape, by one prepared statement on the product's own tables. No session, no checks. */
export async function readList(pool: Pool, { page, limit, search, user }: ListQuery) {
  const chosen = user === null ? (search === null ? ALL : SEARCH) : OWN;
  const third = user ?? (search === null ? null : `%${search.toLowerCase()}%`);
  const values = [limit, (page - 1) * limit, ...(third === null ? [] : [third])];
  const { rows } = await pool.query({ ...chosen, values });
  const total = rows[0]?.total ?? 0;
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
  return { data: { hosts: rows.map(({ total: _, ...host }) => host), pagination } };
}

const COLUMNS = `
  h.id, h.name, h.ucloud_id as "ucloudId", h.cpu, h.memory, h.disk, h.os_name as "osName", h.os_type as "osType", h.region,
  h.zone, h.status, h.provider_status as "providerStatus", h.charge_type as "chargeType", h.create_time as "createTime",
  h.expire_time as "expireTime", h.ip_set as "ipSet", h.config_id as "configId", h.changed_at as "syncedAt",
  h.gone_at as "goneAt",
  coalesce((
    select json_agg(json_build_object('id', u.id, 'name', u.name, 'username', u.username,
      'assignedAt', a.assigned_at, 'assignedExpireTime', a.assigned_expire_time))
    from assignments a join users u on u.id = a.user_id where a.host_id = h.id and a.ended_at is null
  ), '[]') as users`;

function statement(name: string, wanted: string): { readonly name: string; readonly text: string } {
  const text = `
    select ${COLUMNS}, (select count(*)::int from hosts h where ${wanted}) as total
    from (select * from hosts h where ${wanted} order by h.sort_name, h.id limit $1 offset $2) h
    order by h.sort_name, h.id`;
  return { name, text };
}

const ALL = statement("all", "h.gone_at is null");
const SEARCH = statement("search", "h.gone_at is null and h.search_text like $3");
const OWN = statement(
  "own",
  "h.id in (select a.host_id from assignments a where a.user_id = $3::uuid and a.ended_at is null)",
);
