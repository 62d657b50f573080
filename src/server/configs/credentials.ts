import type { Deps } from "../core/deps.ts";
import { StartError } from "../core/errors.ts";
import { ConfigEntity, type ConfigRow } from "./entity.ts";

/** What a call to the provider needs. No `projectIds` = every project that the key can list. */
export interface Credentials {
  readonly apiUrl: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly defaultRegion: string;
  readonly projectIds: readonly string[];
}

export function sealPrivateKey({ secrets }: Pick<Deps, "secrets">, configId: string, privateKey: string): string {
  return secrets.seal(privateKey, fieldOf(configId));
}

/** Throws when the key was tampered with, moved, or sealed with a key that is not held. */
export function openPrivateKey({ secrets }: Pick<Deps, "secrets">, configId: string, sealed: string): string {
  return secrets.open(sealed, fieldOf(configId));
}

export function openCredentials({ secrets }: Pick<Deps, "secrets">, config: ConfigRow): Credentials {
  const { id, apiUrl, publicKey, privateKeySealed, defaultRegion, projectIds } = config;
  const privateKey = openPrivateKey({ secrets }, id, privateKeySealed);
  return { apiUrl, publicKey, privateKey, defaultRegion, projectIds };
}

/** Throws StartError, which names the configuration, when a stored private key does not open. */
export async function verifyStoredKeys({ em, secrets }: Pick<Deps, "em" | "secrets">): Promise<void> {
  for (const config of await em.fork().findAll(ConfigEntity, { orderBy: { id: "asc" } })) {
    try {
      openCredentials({ secrets }, config);
    } catch (cause) {
      throw new StartError(
        `the private key stored for configuration ${config.id} cannot be opened: ENCRYPTION_KEY (or one of ENCRYPTION_KEYS_OLD) must be the key it was stored with`,
        { cause },
      );
    }
  }
}

function fieldOf(configId: string) {
  return { table: "configs", row: configId, field: "private_key" };
}
