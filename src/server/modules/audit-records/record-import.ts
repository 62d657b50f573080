import type { AuditAction } from "../../../shared/audit.ts";
import type { ImportSummary } from "../../../shared/imports.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "./deps.ts";
import { countChanges, fieldChanges } from "./field-changes.ts";
import { recordAudit } from "./record-audit.ts";

interface EndedImport {
  readonly action: AuditAction;
  readonly dryRun: boolean;
  readonly summary: ImportSummary;
}

/**
 * The entry of an import as a whole, beside those of its rows. It is written after them, so a
 * failure only misses the sum: the caller must still get the initial passwords of new users.
 */
export async function recordImport(
  deps: AuditDeps & Pick<Deps, "bus" | "clock">,
  { action, dryRun, summary }: EndedImport,
): Promise<void> {
  const changes = [
    ...fieldChanges(null, { dryRun: dryRun || null }),
    ...countChanges({
      createdRows: summary.create,
      updatedRows: summary.update,
      unchangedRows: summary.skip,
      failedRows: summary.failed,
    }),
  ];

  try {
    await inTransaction({ ...deps, em: deps.em.fork() }, (em) =>
      recordAudit({ ...deps, em }, { action, changes }, deps.clock.now()),
    );
  } catch (error) {
    deps.log.error({ err: error, action, summary }, "an entry of the audit log is missing");
  }
}
