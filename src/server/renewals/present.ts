import type { Renewal } from "../../shared/renewals.ts";
import { isAdminOrAbove, type Role } from "../../shared/roles.ts";
import type { RenewalRow } from "./queries.ts";

/** The provider's expiry and the name of the super admin who decided are not for clients. */
export function presentRenewal(role: Role, row: RenewalRow): Renewal {
  const { hostId, hostName, ucloudId, cpu, memory, assignedExpireTime } = row;
  const { userId, userName, username, userEmail, userPhone, processedBy } = row;
  const isForAdmins = isAdminOrAbove(role);
  const expireTime = isForAdmins ? row.hostExpireTime : assignedExpireTime;
  return {
    id: row.id,
    host: { id: hostId, name: hostName, ucloudId, cpu, memory, expireTime },
    user: { id: userId, name: userName, username, email: userEmail, phone: userPhone },
    requestedDuration: row.requestedDuration,
    status: row.status,
    remark: row.remark,
    adminRemark: row.adminRemark,
    createdAt: row.createdAt,
    processedAt: row.processedAt,
    processedBy: isForAdmins && processedBy !== null ? { id: processedBy, name: row.processedByName ?? "" } : null,
    assignedExpireTime,
  };
}
