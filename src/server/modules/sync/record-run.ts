import type { AuditAction, AuditOutcome } from "../../../shared/audit.ts";
import type { SyncRun } from "../../../shared/sync.ts";
import type { AuditDeps } from "../audit-records/deps.ts";
import { countChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";

/**
 * Records that a run was started or has ended, with how many hosts it has changed so far. What it
 * did to each host is in the history of hosts.
 */
export async function recordRun(
  deps: AuditDeps,
  action: AuditAction,
  run: Pick<SyncRun, "configId" | "configName" | "status" | "created" | "updated" | "gone">,
  at: number,
): Promise<void> {
  const outcome: AuditOutcome = run.status === "failed" ? "failed" : "ok";
  const changes = countChanges({
    createdHosts: run.created,
    updatedHosts: run.updated,
    goneHosts: run.gone,
  });
  const subject = { type: "config", id: run.configId, label: run.configName } as const;
  await recordAudit(deps, { action, subject, outcome, changes }, at);
}
