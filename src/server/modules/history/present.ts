import type { HostFieldChange, HostHistoryEntry } from "../../../shared/host-history.ts";
import { isClient, isSuperAdmin } from "../../../shared/roles.ts";
import { type HistoryViewer, KINDS_WITH_REMARK } from "./access.ts";
import type { FoundEntry } from "./queries.ts";

/** Only super admins see runs: that two hosts are changed by one run tells their configuration. */
export function presentEntry(row: FoundEntry, viewer: HistoryViewer): HostHistoryEntry {
  const { id, kind, at } = row;
  const showsRemark = !isClient(viewer.role) || KINDS_WITH_REMARK.includes(kind);
  return {
    id,
    kind,
    at,
    runId: isSuperAdmin(viewer.role) ? row.runId : null,
    actor: actorFor(row, viewer),
    changes: changesFor(row, viewer),
    remark: showsRemark ? row.remark : null,
  };
}

/** To a client nobody but itself. A job or a command has a name and no id. */
function actorFor(
  { actorId, actorName }: FoundEntry,
  { id, role }: HistoryViewer,
): HostHistoryEntry["actor"] {
  if (actorId === null || (isClient(role) && actorId !== id)) return null;
  return { id: actorId, name: actorName ?? "" };
}

/** An act names the client whom it concerns, as it was named then, before what it changed. */
function changesFor(
  { kind, clientName, changes }: FoundEntry,
  { fields }: HistoryViewer,
): HostFieldChange[] {
  if (clientName === null) return changes.filter(({ field }) => fields.includes(field));

  const isEnd = kind === "unassigned";
  const user = {
    field: "user",
    from: isEnd ? clientName : null,
    to: isEnd ? null : clientName,
  } as const;
  return [user, ...changes];
}
