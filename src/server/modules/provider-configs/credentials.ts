import type { Deps } from "../../platform/deps.ts";
import { locateSecret, type SealedColumn } from "../../platform/secrets.ts";

export const PRIVATE_KEY: SealedColumn = { table: "configs", column: "private_key_sealed" };

export function sealPrivateKey(
  { secrets }: Pick<Deps, "secrets">,
  configId: string,
  privateKey: string,
): string {
  return secrets.seal(privateKey, locateSecret(PRIVATE_KEY, configId));
}

/** Throws when the key was tampered with, moved, or sealed with a key that is not held. */
export function openPrivateKey(
  { secrets }: Pick<Deps, "secrets">,
  configId: string,
  sealed: string,
): string {
  return secrets.open(sealed, locateSecret(PRIVATE_KEY, configId));
}
