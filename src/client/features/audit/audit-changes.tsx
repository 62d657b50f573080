import { type AuditEntry, auditFieldLabel } from "@shared/audit.ts";
import { auditValueText } from "@shared/audit-values.ts";
import { ChangeList } from "@/components/history/change-list";

/** Field by field, as they were and are stored. */
export function AuditChanges({ changes }: Pick<AuditEntry, "changes">) {
  return (
    <ChangeList
      rows={changes.map(({ field, from, to }) => ({
        field,
        label: auditFieldLabel(field),
        from: from === null ? null : auditValueText(field, from),
        to: auditValueText(field, to),
      }))}
    />
  );
}
