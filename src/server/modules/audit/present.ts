import type { ActivityEntry, AuditEntry } from "../../../shared/audit.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import type { FoundEntry } from "./queries.ts";

export function presentEntry(row: FoundEntry): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: {
      type: row.actorType,
      id: row.actorId,
      name: row.actorName,
      token: row.tokenId === null ? null : { id: row.tokenId, name: row.tokenName ?? "" },
    },
    action: row.action,
    subject: subjectOf(row),
    outcome: row.outcome,
    ip: row.ip,
    userAgent: row.userAgent,
    requestId: row.requestId,
    changes: row.changes,
    count: row.count,
  };
}

function subjectOf({ subjectType, subjectId, subjectLabel }: FoundEntry): AuditEntry["subject"] {
  if (subjectType === null || subjectId === null) return null;
  return { type: subjectType, id: subjectId, label: subjectLabel ?? "" };
}

/** From where somebody else acted on the account, and on what else, is not the user's to know. */
export function presentActivity(row: FoundEntry, { id }: Pick<Caller, "id">): ActivityEntry {
  const isOfOther = row.actorId !== null && row.actorId !== id;
  return {
    id: row.id,
    at: row.at,
    action: row.action,
    outcome: row.outcome,
    ip: isOfOther ? null : row.ip,
    userAgent: isOfOther ? null : row.userAgent,
    changes: isOfOther ? [] : row.changes,
    count: row.count,
  };
}
