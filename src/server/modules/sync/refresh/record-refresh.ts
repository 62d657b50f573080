import type { AuditAction } from "../../../../shared/audit.ts";
import type { AuditDeps } from "../../audit-records/deps.ts";
import { recordAudit } from "../../audit-records/record-audit.ts";
import type { WrittenFindings } from "./write-findings.ts";

interface NamedHost {
  readonly id: string;
  readonly name: string;
}

interface RefreshOfHosts {
  readonly action: AuditAction;
  readonly hosts: readonly NamedHost[];
  readonly written: Pick<WrittenFindings, "updated" | "removed">;
}

/**
 * An entry for each host that a person has refreshed or confirmed, and that was changed by it. Which
 * of its fields the provider has changed is in the history of the host.
 */
export async function recordRefresh(
  deps: AuditDeps,
  { action, hosts, written }: RefreshOfHosts,
  at: number,
): Promise<void> {
  const { updated, removed } = written;
  const isGone = { field: "isPresent", from: true, to: false } as const;

  for (const { id, name } of hosts) {
    const isRemoved = removed.has(id);
    if (!isRemoved && !updated.has(id)) continue;

    const subject = { type: "host", id, label: name } as const;
    await recordAudit(deps, { action, subject, changes: isRemoved ? [isGone] : [] }, at);
  }
}
