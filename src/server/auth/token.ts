import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** 256 random bits, base64url: 43 characters. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** What the database holds of a token. Without salt or work factor: nobody guesses 256 bits. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
