import { type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type Host,
  type HostList,
  HostStatus,
  type ListHostsInput,
} from "../../../shared/hosts.ts";
import { paginate } from "../../../shared/page.ts";
import { OPEN_RENEWAL_STATUSES } from "../../../shared/renewal-status.ts";
import type { Role } from "../../../shared/roles.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer, viewerOf } from "./access.ts";
import { hostFilter, PROVIDER_END } from "./filters.ts";
import { type FoundHost, presentHost } from "./present.ts";

type FilterName = keyof ListHostsInput;

const FOR_SUPER_ADMINS: readonly FilterName[] = ["gone", "configId", "outsideProjects", "assigned"];
const REFUSED_FILTERS: Readonly<Record<Role, readonly FilterName[]>> = {
  super_admin: [],
  admin: FOR_SUPER_ADMINS,
  client: [...FOR_SUPER_ADMINS, "userId", "expiring", "expired", "providerEndsFirst"],
};

/** So many first hosts of a list are found by comparing names. */
const MAX_COMPARED_NAMES = 1_000;
/** Sorted by these, many hosts are alike and their names decide; dates decide by themselves. */
const OFTEN_ALIKE: ReadonlySet<ListHostsInput["sort"]> = new Set([
  "status",
  "zone",
  "cpu",
  "memory",
  "disk",
]);

type ReadDeps = Pick<Deps, "em" | "clock">;

export function hostNotFound(): AppError {
  return new AppError("NOT_FOUND", "主机不存在或已无权查看");
}

export async function listHosts(
  { em, clock }: ReadDeps,
  caller: Caller,
  input: ListHostsInput,
): Promise<HostList> {
  const refused = REFUSED_FILTERS[caller.role].find((name) => input[name] !== undefined);
  if (refused !== undefined) throw invalidField(refused, `不支持的参数 ${refused}`);
  const viewer = viewerOf({ clock }, caller);
  const wanted = hostFilter(viewer, input);
  const db = em.getKysely();
  const counted = await sql<{
    total: number;
  }>`select count(*)::int as total from hosts h where ${wanted}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;

  const page = pageOf(viewer, input, { wanted, total });
  const ids = total === 0 ? [] : (await page.execute(db)).rows.map(({ id }) => id);
  const { rows } = await sql<FoundHost>`
    select ${hostColumns(viewer)}
    from unnest(${ids}::uuid[]) with ordinality as page (id, position)
    join hosts h on h.id = page.id
    order by page.position
  `.execute(db);
  return {
    hosts: rows.map((host) => presentHost(host, viewer)),
    pagination: paginate(input, total),
  };
}

interface Found {
  readonly wanted: RawBuilder<SqlBool>;
  readonly total: number;
}

/**
 * The ids of one page, in a total order, so that pages neither repeat nor skip. Hosts without a
 * value are last in both directions, and hosts that are alike are sorted by name.
 *
 * Comparing names is slow. For a late page of many hosts of which many are alike, the index of names
 * is read once, and the numbers of its rows are compared in place of the names.
 */
function pageOf(
  viewer: Viewer,
  { sort, order, search, page, limit }: ListHostsInput,
  { wanted, total }: Found,
): RawBuilder<{ id: string }> {
  const direction = sql.raw(order);
  const section = sql`limit ${limit} offset ${(page - 1) * limit}`;
  if (sort === "name") {
    // PostgreSQL expects a search to find many hosts and would walk along the names; most find few.
    const reading = search?.trim() ? sql`materialized` : sql`not materialized`;
    return sql`
      with found as ${reading} (select h.id, h.sort_name from hosts h where ${wanted})
      select h.id from found h order by h.sort_name ${direction}, h.id ${direction} ${section}`;
  }

  const keys = keysOf(viewer, sort).map((key) => sql`${key} ${direction} nulls last`);
  const isNameCompared =
    !OFTEN_ALIKE.has(sort) || Math.min(total, page * limit) <= MAX_COMPARED_NAMES;
  if (isNameCompared) {
    return sql`
      select h.id from hosts h ${withEnds(viewer, sort)}
      where ${wanted}
      order by ${sql.join(keys)}, h.sort_name, h.id ${section}`;
  }
  return sql`
    with named as (
      select n.id, row_number() over (order by n.sort_name, n.id) as position from hosts n where n.gone_at is null
    )
    select h.id from hosts h left join named on named.id = h.id ${withEnds(viewer, sort)}
    where ${wanted}
    order by ${sql.join(keys)}, named.position, h.sort_name, h.id ${section}`;
}

/** `ends`: of each host the first start and the first end of the assignments that the viewer may know of. */
function withEnds(viewer: Viewer, sort: ListHostsInput["sort"]): RawBuilder<unknown> {
  if (!isByAssignment(viewer, sort)) return sql``;
  return sql`
    left join (
      select a.host_id, min(a.assigned_at) as first_start, min(a.assigned_expire_time) as first_end
      from assignments a where ${isVisibleAssignment(viewer)}
      group by a.host_id
    ) ends on ends.host_id = h.id`;
}

function isByAssignment({ role }: Viewer, sort: ListHostsInput["sort"]): boolean {
  if (sort === "assignedExpireTime") return true;
  return role === "client" && (sort === "createTime" || sort === "expireTime");
}

export async function getHost(
  { em, clock }: ReadDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Host> {
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
    (${newestOpenRenewal(viewer)}) as "openRenewal",
    (select s.show_network_info_to_client from settings s where s.id = 1) as "showsNetworkToClients"`;
}

/**
 * Of hosts `h`, as an `OpenRenewal`. A request is open only while its assignment lasts, so the few
 * assignments that the viewer may know of lead to it through the index of open requests, however
 * many decided ones the host has. The statuses are written out because a partial index serves no
 * parameters.
 */
function newestOpenRenewal(viewer: Viewer): RawBuilder<unknown> {
  const open = sql.join(OPEN_RENEWAL_STATUSES.map((status) => sql.lit(status)));
  return sql`
    select json_build_object('id', r.id, 'status', r.status,
      'requestedDuration', r.requested_duration, 'createdAt', r.created_at)
    from assignments a
    join renewals r on r.user_id = a.user_id and r.host_id = a.host_id and r.status in (${open})
    where a.host_id = h.id and ${isVisibleAssignment(viewer)}
    order by r.created_at desc, r.id desc
    limit 1`;
}

/** Only what the viewer is shown: the order of hidden dates would reveal them. */
function keysOf(
  viewer: Viewer,
  sort: Exclude<ListHostsInput["sort"], "name">,
): RawBuilder<unknown>[] {
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
      return [isClient ? sql`ends.first_start` : sql`h.create_time`];
    case "expireTime":
      return [isClient ? sql`ends.first_end` : PROVIDER_END];
    case "assignedExpireTime":
      return [sql`ends.first_end`];
  }
}
