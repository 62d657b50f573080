import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { openPrivateKey, sealPrivateKey } from "../configs/credentials.ts";
import { ConfigEntity } from "../configs/entity.ts";
import type { Log } from "../core/log.ts";
import { createSecretBox, type SecretBox } from "../core/secrets.ts";
import { type DatabasePlace, openCommandDatabase } from "./command-database.ts";
import { newKey, readKeyFile, replaceKeyFile } from "./key-file.ts";

interface ResealResult {
  readonly resealed: number;
  readonly current: number;
  /** Rows whose key none of the encryption keys opens. */
  readonly unopenable: readonly string[];
}

/** Seals every private key with the current encryption key. Servers that hold both keys may run. */
export async function rotateKeys(place: DatabasePlace, secrets: SecretBox, log: Log): Promise<ResealResult> {
  await using database = await openCommandDatabase(place, "change", log);
  return await reseal(database.orm.em, secrets);
}

/**
 * Puts a new key into the key file and seals every private key with it. `oldKeys` are those beside the file. The previous key stays in
 * the file until the next rotation: the embedded database does not wait for the disk, so a power failure can bring old values back.
 */
export async function rotateKeyFile(dataDir: string, oldKeys: readonly Buffer[], log: Log): Promise<ResealResult> {
  await using database = await openCommandDatabase({ databaseUrl: null, dataDir }, "change", log);
  const { em } = database.orm;
  const before = readKeyFile(dataDir, false);
  // Completes a rotation that was interrupted.
  await reseal(em, createSecretBox(before.current, [...before.old, ...oldKeys]));
  const keys = { current: newKey(), old: [before.current] };
  replaceKeyFile(dataDir, keys);
  return await reseal(em, createSecretBox(keys.current, [...keys.old, ...oldKeys]));
}

async function reseal(em: SqlEntityManager, secrets: SecretBox): Promise<ResealResult> {
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

/** Null when none of the keys opens it. */
export function tryOpenPrivateKey(secrets: SecretBox, configId: string, sealed: string): string | null {
  try {
    return openPrivateKey({ secrets }, configId, sealed);
  } catch {
    return null;
  }
}
