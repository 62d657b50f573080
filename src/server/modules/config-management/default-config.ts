import { kyselyOf } from "../../platform/database/kysely.ts";
import type { AuditDeps } from "../audit-records/deps.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";

/**
 * Before another configuration becomes the default; under the lock `defaultConfig`. Returns whose
 * it was. `at` in Unix seconds.
 */
export async function unsetDefault(deps: AuditDeps, at: number): Promise<string[]> {
  const { em } = deps;
  const former = await kyselyOf(em)
    .updateTable("configs")
    .set({ isDefault: false })
    .where("isDefault", "=", true)
    .returning(["id", "name"])
    .execute();

  for (const { id, name } of former) {
    const record = {
      action: "configs.update",
      subject: { type: "config", id, label: name },
      changes: fieldChanges({ isDefault: true }, { isDefault: false }),
    } as const;
    await recordAudit(deps, record, at);
  }
  return former.map(({ id }) => id);
}
