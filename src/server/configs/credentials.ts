import type { Deps } from "../core/deps.ts";
import { StartError } from "../core/errors.ts";
import { ConfigEntity } from "./entity.ts";

export function sealPrivateKey({ secrets }: Pick<Deps, "secrets">, configId: string, privateKey: string): string {
  return secrets.seal(privateKey, fieldOf(configId));
}

/** Throws when the key was tampered with, moved, or sealed with a key that is not held. */
export function openPrivateKey({ secrets }: Pick<Deps, "secrets">, configId: string, sealed: string): string {
  return secrets.open(sealed, fieldOf(configId));
}

/** Throws StartError, which names the configuration, when a stored private key does not open. */
export async function verifyStoredKeys({ em, secrets }: Pick<Deps, "em" | "secrets">): Promise<void> {
  for (const { id, privateKeySealed } of await em.fork().findAll(ConfigEntity, { orderBy: { id: "asc" } })) {
    try {
      openPrivateKey({ secrets }, id, privateKeySealed);
    } catch (cause) {
      throw new StartError(
        `the private key stored for configuration ${id} cannot be opened: ENCRYPTION_KEY (or one of ENCRYPTION_KEYS_OLD) must be the key it was stored with`,
        { cause },
      );
    }
  }
}

function fieldOf(configId: string) {
  return { table: "configs", row: configId, field: "private_key" };
}
