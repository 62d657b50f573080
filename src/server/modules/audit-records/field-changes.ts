import { type AuditField, type AuditValue, isAuditField } from "../../../shared/audit.ts";

export interface FieldChange {
  readonly field: AuditField;
  readonly from: AuditValue;
  readonly to: AuditValue;
}

/** Values by the name of their field. What is undefined counts as null. */
export type Fields = { readonly [Field in AuditField]?: AuditValue | undefined };

/** Of these an entry says that they changed, and nothing of their values. */
const SECRET_FIELDS: readonly AuditField[] = [
  "publicKey",
  "privateKey",
  "config.url",
  "config.password",
  "config.secret",
];
const MASK = "•••";

/** The fields that differ, from what was stored before to what is stored now. Null: nothing was. */
export function fieldChanges(before: Fields | null, after: Fields | null): FieldChange[] {
  const fields = Object.keys({ ...before, ...after }).filter(isAuditField);
  const values = fields.map((field) => ({
    field,
    from: before?.[field] ?? null,
    to: after?.[field] ?? null,
  }));

  return values.filter(({ from, to }) => !isSame(from, to)).map(maskSecret);
}

/** How many rows an act has dragged along; none is no change. */
export function countChanges(
  counts: {
    readonly [Field in AuditField]?: number;
  },
): FieldChange[] {
  return fieldChanges(null, counts).filter(({ to }) => to !== 0);
}

/** Lists are compared by what is in them. */
function isSame(from: AuditValue, to: AuditValue): boolean {
  return JSON.stringify(from) === JSON.stringify(to);
}

function maskSecret({ field, from, to }: FieldChange): FieldChange {
  if (!SECRET_FIELDS.includes(field)) return { field, from, to };
  return { field, from: from === null ? null : MASK, to: to === null ? null : MASK };
}
