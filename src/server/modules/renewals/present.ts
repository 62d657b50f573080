import { providerEnd } from "../../../shared/hosts.ts";
import type { RenewalStatus } from "../../../shared/renewal-status.ts";
import { type Renewal, RenewalDecision, type UndoneDecision } from "../../../shared/renewals.ts";
import { isClient, isSuperAdmin } from "../../../shared/roles.ts";
import { isFromFuture } from "../../platform/clock.ts";
import type { Viewer } from "../hosts/access.ts";
import type { UndoneAct } from "./former-state.ts";
import type { FoundRenewal } from "./queries.ts";

/** How long after a decision it can be undone, in seconds. */
const UNDO_SECONDS = 600;

export function presentRenewal(row: FoundRenewal, viewer: Viewer): Renewal {
  const { presentHost, formerHost } = row;
  const presentEnd = { expireTime: providerEnd(presentHost) };
  const host = isHostShownAsItIs(row, viewer) ? { ...presentHost, ...presentEnd } : formerHost;
  const shown = isClient(viewer.role) ? fieldsForClient(row) : fieldsForAdmins(row, host);
  // A deleted client is shown as it was when the renewal was requested.
  const user = row.isUserDeleted ? row.formerUser : row.presentUser;
  return {
    id: row.id,
    host: {
      id: row.hostId,
      name: host.name,
      ucloudId: row.ucloudId,
      cpu: host.cpu,
      memory: host.memory,
      expireTime: shown.hostExpireTime,
    },
    user: {
      id: row.userId,
      name: user.name,
      username: user.username,
      email: user.email,
      phone: user.phone,
    },
    requestedDuration: row.requestedDuration,
    status: row.status,
    remark: row.remark,
    adminRemark: row.adminRemark,
    createdAt: row.createdAt,
    processedAt: row.processedAt,
    processedBy: shown.processedBy,
    // Nobody else can undo it.
    undoableUntil: isSuperAdmin(viewer.role) ? undoableUntil(row, viewer.now) : null,
    assignedExpireTime: row.assignedExpireTime,
  };
}

/**
 * Once the host was taken back, clients and admins read what it was when the renewal was requested.
 */
function isHostShownAsItIs({ isHolding }: FoundRenewal, { role }: Viewer): boolean {
  return isSuperAdmin(role) || Boolean(isHolding);
}

interface FieldsByRole {
  readonly hostExpireTime: number | null;
  readonly processedBy: Renewal["processedBy"];
}

/** The provider's expiry and the name of the super admin who decided are not for clients. */
function fieldsForClient({ assignedExpireTime }: FoundRenewal): FieldsByRole {
  return { hostExpireTime: assignedExpireTime, processedBy: null };
}

function fieldsForAdmins(
  { processedBy, processedByName }: FoundRenewal,
  { expireTime }: FoundRenewal["formerHost"],
): FieldsByRole {
  const decidedBy = processedBy === null ? null : { id: processedBy, name: processedByName ?? "" };
  return { hostExpireTime: expireTime, processedBy: decidedBy };
}

/** Who decides is not for clients. A command has a name and no id. */
export function presentUndone(
  { decision, restoredStatus, at, actorId, actorName }: UndoneAct,
  { role }: Pick<Viewer, "role">,
): UndoneDecision {
  const isNamed = actorId !== null && !isClient(role);
  const undoneBy = isNamed ? { id: actorId, name: actorName ?? "" } : null;
  return { decision, restoredStatus, at, undoneBy };
}

interface DecidedAt {
  readonly status: RenewalStatus;
  readonly processedAt?: number | null | undefined;
}

/**
 * Until when, in Unix seconds, the last decision may be undone, that time included. Null when there
 * is none, or the time is over. What is shown and what is done go by this one rule.
 */
export function undoableUntil({ status, processedAt }: DecidedAt, now: number): number | null {
  const isDecided = RenewalDecision.safeParse(status).success;
  if (!isDecided || typeof processedAt !== "number" || isFromFuture(processedAt, now)) return null;

  const until = processedAt + UNDO_SECONDS;
  return now <= until ? until : null;
}
