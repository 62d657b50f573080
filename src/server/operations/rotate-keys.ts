import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { AuditDeps } from "../modules/audit-records/deps.ts";
import { countChanges } from "../modules/audit-records/field-changes.ts";
import { recordAudit } from "../modules/audit-records/record-audit.ts";
import { systemClock } from "../platform/clock.ts";
import type { DatabaseTarget } from "../platform/database/open-connection.ts";
import { inTransaction } from "../platform/database/transaction.ts";
import type { Deps } from "../platform/deps.ts";
import type { Config } from "../platform/environment/config.ts";
import { readKeyFile, replaceKeyFile } from "../platform/environment/key-file.ts";
import type { Log } from "../platform/log.ts";
import { createSecretBox, locateSecret, type SecretBox } from "../platform/secrets.ts";
import { openCommandDatabase } from "./command-database.ts";
import { nameOf, readSecrets, type StoredSecret, tryOpen } from "./sealed-secrets.ts";

type KeySettings = DatabaseTarget & Pick<Config, "encryptionKey" | "oldEncryptionKeys">;
type RotateDeps = AuditDeps & Pick<Deps, "bus">;

/**
 * Seals every stored secret with the current encryption key, or with a new one in the key file.
 * Servers that hold both may run.
 */
export async function rotateKeys(settings: KeySettings, isNew: boolean, log: Log) {
  const { dataDir, encryptionKey, oldEncryptionKeys } = settings;
  await using database = await openCommandDatabase(settings, {
    name: "rotate-keys",
    access: "change",
    log,
  });
  const { deps } = database;
  if (!isNew) return await rotateTo(deps, createSecretBox(encryptionKey, oldEncryptionKeys));

  const before = readKeyFile(dataDir, false);
  // Completes a rotation that was interrupted.
  await resealAll(deps, createSecretBox(before.current, oldEncryptionKeys));
  // The previous key stays: a power failure can bring back old values of the database.
  const current = randomBytes(32);
  replaceKeyFile(dataDir, { current, old: [before.current] });
  return await rotateTo(deps, createSecretBox(current, [before.current, ...oldEncryptionKeys]));
}

/** Each secret is sealed in a transaction of its own, and the entry added after the last of them. */
async function rotateTo(deps: RotateDeps, secrets: SecretBox) {
  const result = await resealAll(deps, secrets);

  const changes = countChanges({ resealedSecrets: result.resealed });
  await inTransaction(deps, (em) =>
    recordAudit({ ...deps, em }, { action: "command.rotate-keys", changes }, systemClock.now()),
  );
  return result;
}

async function resealAll(deps: RotateDeps, secrets: SecretBox) {
  const unopenable: string[] = [];
  let resealed = 0;
  let current = 0;
  for (const secret of await readSecrets(deps.em.getKysely())) {
    const plain = tryOpen(secrets, secret);
    if (plain === null) {
      unopenable.push(nameOf(secret));
      continue;
    }
    if (secrets.isCurrent(secret.sealed)) {
      current += 1;
      continue;
    }

    const anew = secrets.seal(plain, locateSecret(secret.column, secret.row));
    const isReplaced = await replaceSealed(deps, secret, anew);
    if (isReplaced) resealed += 1;
    else current += 1;
  }
  return { resealed, current, unopenable };
}

/** False when a server, which uses the current key, saved the row meanwhile. */
async function replaceSealed(
  deps: RotateDeps,
  { column, row, sealed }: StoredSecret,
  anew: string,
): Promise<boolean> {
  const name = sql.ref(column.column);
  const { numAffectedRows = 0n } = await inTransaction(deps, (em) =>
    sql`
      update ${sql.table(column.table)} set ${name} = ${anew}
      where id::text = ${row} and ${name} = ${sealed}
    `.execute(em.getKysely()),
  );
  return numAffectedRows > 0n;
}
