import type { Selectable } from "kysely";
import type {
  HostFieldChange,
  HostHistoryEntry,
  HostHistoryKind,
} from "../../../shared/host-history.ts";
import { isClient, isSuperAdmin } from "../../../shared/roles.ts";
import type { Tables } from "../../platform/database/kysely.ts";
import type { HistoryViewer } from "./access.ts";

type Act = Pick<HostHistoryEntry, "actor" | "changes" | "remark">;

/** Only super admins see runs: that two hosts are changed by one run tells their configuration. */
export function presentChange(
  { runId, changes }: Selectable<Tables["host_changes"]>,
  { role, fields }: HistoryViewer,
): Act & Pick<HostHistoryEntry, "runId"> {
  return {
    runId: isSuperAdmin(role) ? runId : null,
    actor: null,
    changes: changes.filter(({ field }) => fields.includes(field)),
    remark: null,
  };
}

/** Who ended an assignment is not stored. Its remark is for those who assign. */
export function presentAssignmentAct(
  assignment: Selectable<Tables["assignments"]>,
  kind: HostHistoryKind,
  { role }: HistoryViewer,
): Act {
  const { userName, assignedBy, assignedByName, remark } = assignment;
  if (kind === "unassigned") {
    return { actor: null, changes: [userChange(userName, null)], remark: null };
  }

  const changes = [userChange(null, userName)];
  if (isClient(role)) return { actor: null, changes, remark: null };
  return { actor: { id: assignedBy, name: assignedByName }, changes, remark };
}

/** A client is told what was remarked on its request, and not who decided. */
export function presentRenewalAct(
  renewal: Selectable<Tables["renewals"]>,
  kind: HostHistoryKind,
  { role }: HistoryViewer,
): Act {
  const { userId, userName, requestedDuration } = renewal;
  if (kind === "renewal_created") {
    const duration = { field: "requestedDuration", from: null, to: requestedDuration } as const;
    const changes = [userChange(null, userName), duration];
    return { actor: { id: userId, name: userName }, changes, remark: renewal.remark };
  }

  const { processedBy, processedByName, adminRemark } = renewal;
  const isShown = processedBy !== null && !isClient(role);
  return {
    actor: isShown ? { id: processedBy, name: processedByName ?? "" } : null,
    changes: [userChange(null, userName)],
    remark: adminRemark,
  };
}

/** Whom an act concerns: the client as it is named in what is kept of the act. */
function userChange(from: string | null, to: string | null): HostFieldChange {
  return { field: "user", from, to };
}
