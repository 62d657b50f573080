import { locateSecret, type SealedColumn } from "../../platform/secrets.ts";
import type { ProviderDeps } from "./deps.ts";

export const PRIVATE_KEY: SealedColumn = { table: "configs", column: "private_key_sealed" };

export function sealPrivateKey(
  { secrets }: Pick<ProviderDeps, "secrets">,
  configId: string,
  privateKey: string,
): string {
  return secrets.seal(privateKey, locateSecret(PRIVATE_KEY, configId));
}

/** Throws when the key was tampered with, moved, or sealed with a key that is not held. */
export function openPrivateKey(
  { secrets }: Pick<ProviderDeps, "secrets">,
  configId: string,
  sealed: string,
): string {
  return secrets.open(sealed, locateSecret(PRIVATE_KEY, configId));
}
