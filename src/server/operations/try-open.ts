import type { SecretBox, SecretPlace } from "../core/secrets.ts";

/** Null when none of the keys at hand opens the value, or it belongs to another place. */
export function tryOpen(secrets: SecretBox, sealed: string, place: SecretPlace): string | null {
  try {
    return secrets.open(sealed, place);
  } catch {
    return null;
  }
}
