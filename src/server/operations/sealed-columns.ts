import type { SecretPlace } from "../core/secrets.ts";

/** A column whose values are sealed with the encryption key; its name ends with `_sealed`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Its name in the place that the values are bound to. */
  readonly field: string;
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: "configs", column: "private_key_sealed", field: "private_key" },
];

export function sealedPlace({ table, field }: SealedColumn, row: string): SecretPlace {
  return { table, row, field };
}
