import { type RawBuilder, sql } from "kysely";
import { type Host, type HostList, HostStatus, type ListHostsInput } from "../../shared/hosts.ts";
import { paginate } from "../../shared/page.ts";
import type { Role } from "../../shared/roles.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { PROVIDER_END, wantedHosts } from "./filters.ts";
import { type FoundHost, presentHost } from "./present.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer, viewerOf } from "./scope.ts";

const REFUSED_FILTERS: Readonly<Record<Role, readonly (keyof ListHostsInput)[]>> = {
  super_admin: [],
  admin: ["gone", "configId", "outsideProjects", "assigned", "expiring", "expired"],
  client: ["gone", "configId", "outsideProjects", "assigned", "expiring", "expired", "userId"],
};

type ReadDeps = Pick<Deps, "em" | "clock">;

export function hostNotFound(): AppError {
  return new AppError("NOT_FOUND", "主机不存在或已无权查看");
}

export async function listHosts({ em, clock }: ReadDeps, caller: Caller, input: ListHostsInput): Promise<HostList> {
  const refused = REFUSED_FILTERS[caller.role].find((name) => input[name] !== undefined);
  if (refused !== undefined) throw invalidField(refused, `不支持的参数 ${refused}`);
  const viewer = viewerOf({ clock }, caller);
  const order = orderOf(viewer, input);
  // PostgreSQL expects a search to find many hosts and would walk along the names; most find few.
  const reading = input.search?.trim() ? sql`materialized` : sql`not materialized`;
  // The page is found by ids alone: the details of all hosts before it would be read as well.
  const { rows } = await sql<{ readonly total: number; readonly hosts: FoundHost[] }>`
    with found as ${reading} (select h.* from hosts h where ${wantedHosts(viewer, input)})
    select (select count(*)::int from found) as total, coalesce(json_agg(page), '[]') as hosts
    from (
      select ${hostColumns(viewer)} from hosts h
      where h.id in (
        select h.id from found h order by ${order} limit ${input.limit} offset ${(input.page - 1) * input.limit}
      )
      order by ${order}
    ) page
  `.execute(em.getKysely());
  const [{ total, hosts } = { total: 0, hosts: [] }] = rows;
  return { hosts: hosts.map((host) => presentHost(host, viewer)), pagination: paginate(input, total) };
}

export async function getHost({ em, clock }: ReadDeps, caller: Caller, { id }: { readonly id: string }): Promise<Host> {
  const viewer = viewerOf({ clock }, caller);
  const { rows } = await sql<FoundHost>`
    select ${hostColumns(viewer)} from hosts h where h.id = ${id} and ${isVisibleHost(viewer)}
  `.execute(em.getKysely());
  const [row] = rows;
  if (row === undefined) throw hostNotFound();
  return presentHost(row, viewer);
}

/** Columns of hosts `h`, with the assignments that the viewer may know of, before fields are withheld. */
export function hostColumns(viewer: Viewer): RawBuilder<unknown> {
  // A complete reading of the partition confirms its hosts without writing them.
  return sql`
    h.id, h.name, h.ucloud_id as "ucloudId", h.cpu, h.memory, h.disk, h.os_name as "osName", h.os_type as "osType",
    h.region, h.zone, h.status, h.provider_status as "providerStatus", h.charge_type as "chargeType",
    h.create_time as "createTime", h.expire_time as "expireTime", h.ip_set as "ipSet", h.config_id as "configId",
    h.gone_at as "goneAt",
    greatest(h.changed_at, (
      select p.read_at from sync_partitions p
      where p.config_id = h.config_id and p.project_id = h.project_id and p.region = h.region
        and p.read_at <= ${viewer.now + MAX_CLOCK_SKEW_SECONDS}
    )) as "syncedAt",
    coalesce((
      select json_agg(json_build_object('id', u.id, 'name', u.name, 'username', u.username,
        'assignedAt', a.assigned_at, 'assignedExpireTime', a.assigned_expire_time) order by a.assigned_at, a.id)
      from assignments a join users u on u.id = a.user_id
      where a.host_id = h.id and ${isVisibleAssignment(viewer)}
    ), '[]') as users,
    (select s.show_network_info_to_client from settings s where s.id = 1) as "showsNetworkToClients"`;
}

/** A total order of hosts `h`, so that pages neither repeat nor skip. Hosts without a value are last in both directions. */
function orderOf(viewer: Viewer, { sort, order }: ListHostsInput): RawBuilder<unknown> {
  const direction = order === "desc" ? sql`desc` : sql`asc`;
  // Without "nulls last", which the index on names does not have.
  if (sort === "name") return sql`h.sort_name ${direction}, h.id ${direction}`;
  const keys = keysOf(viewer, sort).map((key) => sql`${key} ${direction} nulls last`);
  return sql`${sql.join(keys)}, h.sort_name, h.id`;
}

/** Only what the viewer is shown: the order of hidden dates would reveal them. */
function keysOf(viewer: Viewer, sort: Exclude<ListHostsInput["sort"], "name">): RawBuilder<unknown>[] {
  const isClient = viewer.role === "client";
  switch (sort) {
    case "status":
      return [sql`array_position(${[...HostStatus.options]}::text[], h.status)`];
    case "zone":
      return [sql`h.region collate "C"`, sql`h.zone collate "C"`];
    case "cpu":
    case "memory":
    case "disk":
      return [sql`${sql.ref(`h.${sort}`)}`];
    case "createTime":
      return [isClient ? ofAssignments(viewer, sql`min(a.assigned_at)`) : sql`h.create_time`];
    case "expireTime":
      return [isClient ? ofAssignments(viewer, sql`min(a.assigned_expire_time)`) : PROVIDER_END];
    case "assignedExpireTime":
      return [ofAssignments(viewer, sql`min(a.assigned_expire_time)`)];
  }
}

function ofAssignments(viewer: Viewer, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${value} from assignments a where a.host_id = h.id and ${isVisibleAssignment(viewer)})`;
}
