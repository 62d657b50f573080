import type { AuditAction } from "../../../shared/audit.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "./deps.ts";
import { countChanges, fieldChanges } from "./field-changes.ts";
import { recordAudit } from "./record-audit.ts";

export type RecordExportDeps = AuditDeps & Pick<Deps, "bus" | "clock">;

interface BegunExport {
  readonly action: AuditAction;
  /** What the list was narrowed by; what is undefined was not used. */
  readonly filter: Readonly<Record<string, string | number | boolean | undefined>>;
  /** How many rows it will have, unless some are lost meanwhile; absent where they are not known. */
  readonly rows?: number;
}

/**
 * The entry of an export. It is written before the first row is sent, since nobody can know how
 * much of the file was taken.
 */
export async function recordExport(
  deps: RecordExportDeps,
  { action, filter, rows }: BegunExport,
): Promise<void> {
  const conditions = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const used = conditions.length === 0 ? null : conditions;
  const counted = rows === undefined ? [] : countChanges({ exportedRows: rows });
  const changes = [...fieldChanges(null, { filter: used }), ...counted];

  await inTransaction({ ...deps, em: deps.em.fork() }, (em) =>
    recordAudit({ ...deps, em }, { action, changes }, deps.clock.now()),
  );
}
