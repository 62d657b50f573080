import type { Host, HostUser } from "../../shared/hosts.ts";
import { zoneName } from "../../shared/regions.ts";
import type { FoundHost } from "./queries.ts";
import type { Viewer } from "./scope.ts";

/** The host as this viewer may see it; `row.users` holds only assignments in the viewer's scope. */
export function presentHost(row: FoundHost, viewer: Viewer): Host {
  return viewer.role === "client" ? presentToClient(row, viewer) : presentToAdmin(row);
}

/** Everything that a client may know of a host, by name. Dates are those of the own assignment. */
function presentToClient(row: FoundHost, viewer: Viewer): Host {
  const own = row.users.find(({ id }) => id === viewer.id);
  return {
    id: row.id,
    name: row.name,
    ucloudId: row.ucloudId,
    cpu: row.cpu,
    memory: row.memory,
    disk: row.disk,
    osName: row.osName,
    osType: row.osType,
    region: row.region,
    zone: row.zone,
    zoneName: zoneName(row.zone),
    status: row.status,
    providerStatus: null,
    chargeType: row.chargeType,
    createTime: own?.assignedAt ?? null,
    expireTime: own?.assignedExpireTime ?? null,
    ipSet: row.showsNetworkToClients && isCurrent(own, viewer.now) ? row.ipSet : [],
    users: own === undefined ? [] : [presentUser(own)],
    configId: null,
    syncedAt: syncedAt(row),
    goneAt: row.goneAt,
  };
}

/** Super admins and admins see the provider's own data; their scopes differ in `users`. */
function presentToAdmin(row: FoundHost): Host {
  return {
    id: row.id,
    name: row.name,
    ucloudId: row.ucloudId,
    cpu: row.cpu,
    memory: row.memory,
    disk: row.disk,
    osName: row.osName,
    osType: row.osType,
    region: row.region,
    zone: row.zone,
    zoneName: zoneName(row.zone),
    status: row.status,
    providerStatus: row.providerStatus,
    chargeType: row.chargeType,
    createTime: row.createTime,
    expireTime: row.expireTime,
    ipSet: row.ipSet,
    users: row.users.map(presentUser),
    configId: row.configId,
    syncedAt: syncedAt(row),
    goneAt: row.goneAt,
  };
}

function presentUser({ id, name, username, assignedAt, assignedExpireTime }: HostUser): HostUser {
  return { id, name, username, assignedAt, assignedExpireTime };
}

/** The later of its last write and the last complete reading of its partition. */
function syncedAt({ changedAt, partitionReadAt }: FoundHost): number {
  return Math.max(changedAt, partitionReadAt ?? 0);
}

function isCurrent(own: HostUser | undefined, now: number): boolean {
  return own !== undefined && own.assignedAt <= now && now <= own.assignedExpireTime;
}
