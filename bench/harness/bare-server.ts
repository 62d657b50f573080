import { once } from "node:events";
import { createServer } from "node:http";
import pg from "pg";

/**
 * The reference of lists: the same answers without sessions and checks.
 * `node bench/harness/bare-server.ts DATABASE-URL`
 */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const server = createServer(async (request, response) => {
  const body = JSON.stringify(
    await listHosts(new URL(request.url ?? "/", "http://localhost").searchParams),
  );
  response.setHeader("content-type", "application/json");
  response.end(body);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);

/**
 * One page in the product's shape, by one prepared statement. `user` makes it that client's list.
 */
async function listHosts(query: URLSearchParams): Promise<unknown> {
  const [page, limit] = [Number(query.get("page") ?? 1), Number(query.get("limit"))];
  const [search, user] = [query.get("search"), query.get("user")];
  const [name, condition, ...third] = user
    ? [
        "client",
        "h.id in (select a.host_id from assignments a where a.user_id = $3::uuid and a.ended_at is null)",
        user,
      ]
    : search
      ? ["search", "h.gone_at is null and h.search_text like $3", `%${search.toLowerCase()}%`]
      : ["all", "h.gone_at is null"];
  const values = [limit, (page - 1) * limit, ...third];
  const { rows } = await pool.query({ name, text: statement(condition), values });
  const total = rows[0]?.total ?? 0;
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
  return { data: { hosts: rows.map(({ total: _, ...host }) => host), pagination } };
}

function statement(condition = ""): string {
  return `
    select h.id, h.name, h.ucloud_id as "ucloudId", h.cpu, h.memory, h.disk, h.os_name as "osName", h.os_type as "osType",
      h.region, h.zone, h.status, h.provider_status as "providerStatus", h.charge_type as "chargeType",
      h.create_time as "createTime", h.expire_time as "expireTime", h.ip_set as "ipSet", h.config_id as "configId",
      h.changed_at as "syncedAt", h.gone_at as "goneAt",
      coalesce((
        select json_agg(json_build_object('id', u.id, 'name', u.name, 'username', u.username,
          'assignedAt', a.assigned_at, 'assignedExpireTime', a.assigned_expire_time))
        from assignments a join users u on u.id = a.user_id where a.host_id = h.id and a.ended_at is null
      ), '[]') as users,
      (select count(*)::int from hosts h where ${condition}) as total
    from (select * from hosts h where ${condition} order by h.sort_name, h.id limit $1 offset $2) h
    order by h.sort_name, h.id`;
}
