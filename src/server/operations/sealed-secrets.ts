import type { EntityManager } from "@mikro-orm/postgresql";
import { type QueryExecutorProvider, sql } from "kysely";
import { TOTP_SECRET } from "../modules/auth/totp.ts";
import { CHANNEL_CONFIG } from "../modules/channels/sealed-config.ts";
import { PRIVATE_KEY } from "../modules/provider-configs/credentials.ts";
import type { Deps } from "../platform/deps.ts";
import { StartError } from "../platform/errors.ts";
import { locateSecret, type SealedColumn, type SecretBox } from "../platform/secrets.ts";

/**
 * Every column of sealed values. The check at start, the rotation of the key and a restore open all
 * of them.
 */
export const SEALED_SECRETS: readonly SealedColumn[] = [PRIVATE_KEY, CHANNEL_CONFIG, TOTP_SECRET];

export interface StoredSecret {
  readonly column: SealedColumn;
  /** The id of its row. */
  readonly row: string;
  readonly sealed: string;
}

/** Every sealed value that is stored. */
export async function readSecrets(db: QueryExecutorProvider): Promise<StoredSecret[]> {
  const secrets: StoredSecret[] = [];
  for (const column of SEALED_SECRETS) {
    const { rows } = await sql<{ row: string; sealed: string }>`
      select id::text as row, ${sql.ref(column.column)} as sealed
      from ${sql.table(column.table)}
      where ${sql.ref(column.column)} is not null
      order by id
    `.execute(db);
    for (const { row, sealed } of rows) secrets.push({ column, row, sealed });
  }
  return secrets;
}

/** The sealed values of one row of a backup, as JSON has it. */
export function secretsOfRow(
  table: string,
  values: Readonly<Record<string, unknown>>,
): StoredSecret[] {
  const columns = SEALED_SECRETS.filter((column) => column.table === table);
  return columns.flatMap((column) => {
    const sealed = values[column.column];
    return typeof sealed === "string" ? [{ column, row: String(values.id), sealed }] : [];
  });
}

/** Null when the value does not open with the keys that are held. */
export function tryOpen(secrets: SecretBox, { column, row, sealed }: StoredSecret): string | null {
  try {
    return secrets.open(sealed, locateSecret(column, row));
  } catch {
    return null;
  }
}

/** `table id`, and the column where the table has several. */
export function nameOf({ column: { table, column }, row }: StoredSecret): string {
  const isOnly = SEALED_SECRETS.filter((each) => each.table === table).length === 1;
  return isOnly ? `${table} ${row}` : `${table} ${row} (${column})`;
}

/** Throws StartError, which names the row, when a stored value does not open. */
export async function verifySecrets(
  deps: Pick<Deps, "secrets"> & { readonly em: EntityManager },
): Promise<void> {
  for (const secret of await readSecrets(deps.em.getKysely())) {
    if (tryOpen(deps.secrets, secret) !== null) continue;
    throw new StartError(
      `the value of ${nameOf(secret)} in ${secret.column.column} cannot be opened: ` +
        "ENCRYPTION_KEY (or one of ENCRYPTION_KEYS_OLD) must be the key it was stored with",
    );
  }
}
