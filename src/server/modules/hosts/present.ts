import { type Host, providerEnd, providerRenewal } from "../../../shared/hosts.ts";
import { zoneName } from "../../../shared/regions.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { isFromFuture } from "../../platform/clock.ts";
import type { Viewer } from "./access.ts";
import type { FoundHost } from "./rows.ts";

interface Judged {
  readonly isStale: boolean;
}

export function presentHost(row: FoundHost, viewer: Viewer, { isStale }: Judged): Host {
  const shown =
    viewer.role === "client" ? fieldsForClient(row, viewer) : fieldsForAdmins(row, viewer);
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
    statusSince: statusSinceFor(row, viewer),
    chargeType: row.chargeType,
    syncedAt: row.syncedAt,
    isStale,
    goneAt: row.goneAt,
    openRenewal: row.openRenewal,
    ...shown,
  };
}

/** Null also for a time that a clock that was ahead has written. */
function statusSinceFor(
  { statusSince, knowsStatusSince }: FoundHost,
  { now }: Viewer,
): Host["statusSince"] {
  if (statusSince === null || !knowsStatusSince) return null;
  return isFromFuture(statusSince, now) ? null : statusSince;
}

type FieldsByRole = Pick<
  Host,
  | "providerStatus"
  | "createTime"
  | "expireTime"
  | "autoRenew"
  | "ipSet"
  | "users"
  | "configId"
  | "tags"
  | "note"
>;

function fieldsForClient(
  { users, ipSet, showsAddresses }: FoundHost,
  { id }: Viewer,
): FieldsByRole {
  const own = users.find((user) => user.id === id);
  return {
    providerStatus: null,
    createTime: own?.assignedAt ?? null,
    expireTime: own?.assignedExpireTime ?? null,
    autoRenew: null,
    ipSet: showsAddresses ? ipSet : [],
    users: own === undefined ? [] : [own],
    configId: null,
    tags: [],
    note: null,
  };
}

function fieldsForAdmins(row: FoundHost, { role }: Viewer): FieldsByRole {
  const { providerStatus, createTime, ipSet, users, configId, tags, note } = row;
  return {
    providerStatus,
    createTime,
    expireTime: providerEnd(row),
    autoRenew: providerRenewal(row),
    ipSet,
    users,
    configId,
    tags,
    note: isSuperAdmin(role) ? note : null,
  };
}
