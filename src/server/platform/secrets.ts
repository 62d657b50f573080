import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const TAG_BYTES = 16;

/** Authenticated with the value, so that a moved ciphertext does not open. */
export interface SecretLocation {
  readonly table: string;
  readonly row: string;
  readonly field: string;
}

/** A column of sealed values, in a table whose primary key is `id`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: `${string}_sealed`;
}

export function locateSecret({ table, column }: SealedColumn, row: string): SecretLocation {
  return { table, row, field: column.replace(/_sealed$/, "") };
}

export type SecretBox = ReturnType<typeof createSecretBox>;

/**
 * AES-256-GCM. Keys are 32 bytes each; `old` ones only open. Format: `v1.<key id>.<iv>.<ciphertext
 * and tag>`, base64url.
 */
export function createSecretBox(current: Buffer, old: readonly Buffer[] = []) {
  const keys = new Map([...old, current].map((key) => [keyId(key), key]));
  const currentId = keyId(current);
  return {
    seal(plain: string, location: SecretLocation): string {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", current, iv).setAAD(locationBytes(location));
      const body = Buffer.concat([
        cipher.update(plain, "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return ["v1", currentId, iv.toString("base64url"), body.toString("base64url")].join(".");
    },
    /** Throws when the value was tampered with, moved, or sealed with a key that is not held. */
    open(sealed: string, location: SecretLocation): string {
      const [version, id, iv, body] = sealed.split(".");
      const key = id === undefined ? undefined : keys.get(id);
      if (version !== "v1" || key === undefined || iv === undefined || body === undefined) {
        throw new Error(
          `sealed value in ${location.table}.${location.field} was made with a key that is not held`,
        );
      }
      const bytes = Buffer.from(body, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(locationBytes(location))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(0, -TAG_BYTES)),
        decipher.final(),
      ]).toString("utf8");
    },
    isCurrent: (sealed: string) => sealed.split(".")[1] === currentId,
  };
}

function keyId(key: Buffer): string {
  return createHash("sha256").update("key id").update(key).digest("hex").slice(0, 16);
}

function locationBytes({ table, row, field }: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify([table, row, field]));
}
