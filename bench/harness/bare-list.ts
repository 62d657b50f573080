import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

/**
 * What lists of hosts cost at least: `node:http` and `pg`, one prepared statement a call, no session, no checks, on the product's own tables:
 * node bench/harness/bare-list.ts DATABASE-URL. Answers the product's shape under its path; `user` in the query makes it a client's list.
 */
const [connectionString] = process.argv.slice(2);
if (connectionString === undefined) throw new Error("usage: node bench/harness/bare-list.ts DATABASE-URL");

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

const pool = new pg.Pool({ connectionString, max: 10 });
const server = createServer(async (request, response) => {
  const query = new URL(request.url ?? "/", "http://localhost").searchParams;
  const page = Number(query.get("page") ?? 1);
  const limit = Number(query.get("limit") ?? 20);
  const [search, user] = [query.get("search"), query.get("user")];
  const chosen = user === null ? (search === null ? ALL : SEARCH) : OWN;
  const third = user ?? (search === null ? null : `%${search.toLowerCase()}%`);
  const values = [limit, (page - 1) * limit, ...(third === null ? [] : [third])];
  const { rows } = await pool.query({ ...chosen, values });
  const total = rows[0]?.total ?? 0;
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data: { hosts: rows.map(({ total: _, ...host }) => host), pagination } }));
});
server.listen(0, "127.0.0.1", () => {
  // A TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${port}`);
});
