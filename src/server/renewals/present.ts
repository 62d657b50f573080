import type { Renewal } from "../../shared/renewals.ts";
import type { Role } from "../../shared/roles.ts";
import type { RenewalRow } from "./queries.ts";

/** The provider's expiry and the name of the super admin who decided are not for clients. */
export function presentRenewal(role: Role, row: RenewalRow): Renewal {
  switch (role) {
    case "super_admin":
    case "admin":
      return { ...fieldsOf(row, row.hostExpireTime), processedBy: processedByOf(row) };
    case "client":
      return { ...fieldsOf(row, row.assignedExpireTime), processedBy: null };
  }
}

/** What every role reads. */
function fieldsOf(row: RenewalRow, expireTime: number | null): Omit<Renewal, "processedBy"> {
  const { hostId, hostName, ucloudId, cpu, memory } = row;
  const { userId, userName, username, userEmail, userPhone } = row;
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
    assignedExpireTime: row.assignedExpireTime,
  };
}

function processedByOf({ processedBy: id, processedByName }: RenewalRow): Renewal["processedBy"] {
  return id === null ? null : { id, name: processedByName ?? "" };
}
