import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { HostIp, HostStatus, HostUser, ListHostsInput } from "../../shared/hosts.ts";
import { DAY_SECONDS } from "../../shared/time.ts";
import { containsPattern } from "../core/search.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer } from "./scope.ts";

/** A host and what the viewer may know of its assignments, before fields are withheld. */
export interface HostRecord {
  readonly id: string;
  readonly name: string;
  readonly ucloud_id: string;
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  readonly os_name: string;
  readonly os_type: string;
  readonly region: string;
  readonly zone: string;
  readonly status: HostStatus;
  readonly provider_status: string;
  readonly charge_type: string;
  readonly create_time: number | null;
  readonly expire_time: number | null;
  readonly ip_set: HostIp[];
  readonly config_id: string | null;
  readonly gone_at: number | null;
  readonly synced_at: number;
  readonly users: HostUser[];
  /** The system setting, read together with the row. */
  readonly shows_network: boolean;
}

export interface HostPage {
  readonly rows: HostRecord[];
  readonly total: number;
}

/** One page by name, and how many there are in all, in one statement. */
export async function selectHostPage(em: SqlEntityManager, viewer: Viewer, input: ListHostsInput): Promise<HostPage> {
  const wanted = sql.join([isVisibleHost(viewer), ...filters(viewer, input)], sql` and `);
  const offset = (input.page - 1) * input.limit;
  const { rows } = await sql<HostRecord & { total: number }>`
    with page as materialized (
      select h.id from hosts h where ${wanted} order by h.sort_name, h.id limit ${input.limit} offset ${offset}
    )
    select ${columns(viewer)}, (select count(*) from hosts h where ${wanted}) as total
    from page join hosts h on h.id = page.id
    order by h.sort_name, h.id
  `.execute(em.getKysely());
  const total = rows[0]?.total ?? (offset === 0 ? 0 : await countHosts(em, wanted));
  return { rows, total };
}

/** The host if it is the viewer's to see. */
export async function selectHost(em: SqlEntityManager, viewer: Viewer, id: string): Promise<HostRecord | undefined> {
  const { rows } = await sql<HostRecord>`
    select ${columns(viewer)} from hosts h where h.id = ${id} and ${isVisibleHost(viewer)}
  `.execute(em.getKysely());
  return rows[0];
}

/** A page beyond the last has no row to carry the total. */
async function countHosts(em: SqlEntityManager, wanted: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from hosts h where ${wanted}
  `.execute(em.getKysely());
  return rows[0]?.total ?? 0;
}

/** A host is as fresh as its own last writing or the last complete reading of the place it is in, whichever is later. */
function columns(viewer: Viewer): RawBuilder<unknown> {
  return sql`
    h.id, h.name, h.ucloud_id, h.cpu, h.memory, h.disk, h.os_name, h.os_type, h.region, h.zone, h.status,
    h.provider_status, h.charge_type, h.create_time, h.expire_time, h.ip_set, h.config_id, h.gone_at,
    greatest(h.changed_at, (
      select p.read_at from sync_partitions p
      where p.config_id = h.config_id and p.project_id = h.project_id and p.region = h.region
    )) as synced_at,
    coalesce((
      select json_agg(json_build_object(
        'id', u.id, 'name', u.name, 'username', u.username,
        'assignedAt', a.assigned_at, 'assignedExpireTime', a.assigned_expire_time
      ) order by a.assigned_at, a.id)
      from assignments a join users u on u.id = a.user_id
      where a.host_id = h.id and ${isVisibleAssignment(viewer)}
    ), '[]') as users,
    coalesce((select s.show_network_info_to_client from settings s where s.id = 1), false) as shows_network`;
}

function filters(viewer: Viewer, input: ListHostsInput): RawBuilder<SqlBool>[] {
  const search = input.search?.trim() ?? "";
  return [
    ...(search === "" ? [] : [matches(search)]),
    ...(input.status === undefined ? [] : [sql<SqlBool>`h.status = ${input.status}`]),
    ...(input.region === undefined ? [] : [sql<SqlBool>`h.region = ${input.region}`]),
    ...(viewer.role === "super_admin" ? operatorFilters(viewer, input) : []),
  ];
}

/** Hosts that are gone at the provider are out of the operator's way unless asked for; whoever has one assigned keeps seeing it. */
function operatorFilters(
  viewer: Viewer,
  { gone, configId, assigned, expiring, expired }: ListHostsInput,
): RawBuilder<SqlBool>[] {
  const live = sql`exists (select 1 from assignments a where a.host_id = h.id and a.ended_at is null)`;
  const until = viewer.now + (expiring ?? 0) * DAY_SECONDS;
  return [
    gone === true ? sql`h.gone_at is not null` : sql`h.gone_at is null`,
    ...(configId === undefined ? [] : [sql<SqlBool>`h.config_id = ${configId}`]),
    ...(assigned === undefined ? [] : [assigned ? sql<SqlBool>`${live}` : sql<SqlBool>`not ${live}`]),
    ...(expiring === undefined
      ? []
      : [sql<SqlBool>`${isPrepaid} and h.expire_time between ${viewer.now} and ${until}`]),
    ...(expired === undefined ? [] : [sql<SqlBool>`(${isPrepaid} and h.expire_time < ${viewer.now}) = ${expired}`]),
  ];
}

/** Condition on hosts `h`: what is billed by time has no end that means anything, though the provider gives one. */
export const isPrepaid: RawBuilder<SqlBool> = sql`h.charge_type in ('Year', 'Month')`;

function matches(search: string): RawBuilder<SqlBool> {
  const pattern = containsPattern(search);
  const anywhere = sql<SqlBool>`h.search_text like lower(${pattern})`;
  if (!search.includes("\n")) return anywhere;
  // That text joins both fields by a line break; a match must not reach across it.
  return sql`${anywhere} and (lower(h.name) like lower(${pattern}) or lower(h.ucloud_id) like lower(${pattern}))`;
}
