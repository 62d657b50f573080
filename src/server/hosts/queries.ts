import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, sql } from "kysely";
import type { HostIp, HostStatus, HostUser } from "../../shared/hosts.ts";
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

/** The host if it is the viewer's to see. */
export async function selectHost(em: SqlEntityManager, viewer: Viewer, id: string): Promise<HostRecord | undefined> {
  const { rows } = await sql<HostRecord>`
    select ${columns(viewer)} from hosts h where h.id = ${id} and ${isVisibleHost(viewer)}
  `.execute(em.getKysely());
  return rows[0];
}

/** A host is as fresh as its own last writing or the last complete reading of the place it is in, whichever is later. */
export function columns(viewer: Viewer): RawBuilder<unknown> {
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
