import { randomBytes } from "node:crypto";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Config } from "../config/config.ts";
import { readKeyFile, replaceKeyFile } from "../config/key-file.ts";
import { openPrivateKey, sealPrivateKey } from "../configs/credentials.ts";
import { ConfigEntity } from "../configs/entity.ts";
import type { Log } from "../core/log.ts";
import { createSecretBox, type SecretBox } from "../core/secrets.ts";
import type { DatabaseTarget } from "../database/open-connection.ts";
import { openCommandDatabase } from "./command-database.ts";

type KeySettings = DatabaseTarget & Pick<Config, "encryptionKey" | "oldEncryptionKeys">;

/** Seals every private key with the current encryption key, or with a new one in the key file. Servers that hold both may run. */
export async function rotateKeys(settings: KeySettings, isNew: boolean, log: Log) {
  const { dataDir, encryptionKey, oldEncryptionKeys } = settings;
  await using database = await openCommandDatabase(settings, "change", log);
  const { em } = database.orm;
  if (!isNew) return await reseal(em, createSecretBox(encryptionKey, oldEncryptionKeys));
  const before = readKeyFile(dataDir, false);
  // Completes a rotation that was interrupted.
  await reseal(em, createSecretBox(before.current, oldEncryptionKeys));
  // The previous key stays: a power failure can bring back old values of the database.
  const current = randomBytes(32);
  replaceKeyFile(dataDir, { current, old: [before.current] });
  return await reseal(em, createSecretBox(current, [before.current, ...oldEncryptionKeys]));
}

async function reseal(em: SqlEntityManager, secrets: SecretBox) {
  const unopenable: string[] = [];
  let [resealed, current] = [0, 0];
  for (const { id, privateKeySealed } of await em.fork().findAll(ConfigEntity, { orderBy: { id: "asc" } })) {
    const plain = tryOpenPrivateKey(secrets, id, privateKeySealed);
    if (plain === null) unopenable.push(`configs ${id}`);
    else if (secrets.isCurrent(privateKeySealed)) current++;
    else {
      const sealed = sealPrivateKey({ secrets }, id, plain);
      const updated = await em.nativeUpdate(ConfigEntity, { id, privateKeySealed }, { privateKeySealed: sealed });
      // A server that saved the row meanwhile used the current key.
      if (updated === 1) resealed++;
      else current++;
    }
  }
  return { resealed, current, unopenable };
}

export function tryOpenPrivateKey(secrets: SecretBox, configId: string, sealed: string): string | null {
  try {
    return openPrivateKey({ secrets }, configId, sealed);
  } catch {
    return null;
  }
}
