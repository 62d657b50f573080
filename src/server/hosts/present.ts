import type { Host, HostUser } from "../../shared/hosts.ts";
import { zoneName } from "../../shared/regions.ts";
import type { HostRecord } from "./queries.ts";
import type { Viewer } from "./scope.ts";

/** The host as this viewer may see it; the assignments in `row.users` are the viewer's own scope already. */
export function presentHost(row: HostRecord, viewer: Viewer): Host {
  const host = presentWhole(row);
  if (viewer.role !== "client") return host;
  const own = row.users.find(({ id }) => id === viewer.id);
  return {
    ...host,
    providerStatus: null,
    configId: null,
    createTime: own?.assignedAt ?? null,
    expireTime: own?.assignedExpireTime ?? null,
    ipSet: row.shows_network && isCurrent(own, viewer.now) ? host.ipSet : [],
    users: own === undefined ? [] : [own],
  };
}

function presentWhole(row: HostRecord): Host {
  return {
    id: row.id,
    name: row.name,
    ucloudId: row.ucloud_id,
    cpu: row.cpu,
    memory: row.memory,
    disk: row.disk,
    osName: row.os_name,
    osType: row.os_type,
    region: row.region,
    zone: row.zone,
    zoneName: zoneName(row.zone),
    status: row.status,
    providerStatus: row.provider_status,
    chargeType: row.charge_type,
    createTime: row.create_time,
    expireTime: row.expire_time,
    ipSet: row.ip_set,
    users: row.users,
    configId: row.config_id,
    syncedAt: row.synced_at,
    goneAt: row.gone_at,
  };
}

function isCurrent(own: HostUser | undefined, now: number): boolean {
  return own !== undefined && own.assignedAt <= now && now <= own.assignedExpireTime;
}
