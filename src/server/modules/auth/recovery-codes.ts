import { createHash, randomInt } from "node:crypto";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { RecoveryCodeEntity } from "./entity.ts";

// For the day on which the phone is lost: each recovery code replaces one code of the authenticator.

const HOW_MANY = 10;
/** Of 31 characters: 79 random bits, which cannot be guessed, also not from a stolen hash. */
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;
/** Without characters that are easily confused: 0 O, 1 I L. No code is six digits long. */
const CHARACTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/**
 * Makes new ones in the place of those that are left. Inside a transaction that has locked the user.
 * Only their hashes are stored: this answer is the only time that they can be read.
 */
export async function replaceRecoveryCodes(
  em: SqlEntityManager,
  secondFactorId: string,
): Promise<string[]> {
  await em.nativeDelete(RecoveryCodeEntity, { secondFactor: secondFactorId });

  const codes = Array.from({ length: HOW_MANY }, newCode);
  await em.insertMany(
    RecoveryCodeEntity,
    codes.map((code) => ({ secondFactor: secondFactorId, codeHash: hashCode(code) })),
  );
  return codes.map((code) => code.replaceAll(GROUP, "$&-"));
}

/**
 * Uses up a code: once, of however many calls at once. Returns how many are left then, and null for
 * a wrong code. Inside a transaction that has locked the user.
 */
export async function acceptRecoveryCode(
  em: SqlEntityManager,
  secondFactorId: string,
  code: string,
): Promise<number | null> {
  const used = await em.nativeDelete(RecoveryCodeEntity, {
    secondFactor: secondFactorId,
    codeHash: hashCode(code),
  });
  if (used === 0) return null;

  return await em.count(RecoveryCodeEntity, { secondFactor: secondFactorId });
}

function newCode(): string {
  const picked = Array.from({ length: LENGTH }, () =>
    CHARACTERS.charAt(randomInt(CHARACTERS.length)),
  );
  return picked.join("");
}

/** Without salt or work factor, as that of a token. `code` without hyphens, in capitals. */
function hashCode(code: string): Buffer {
  return createHash("sha256").update(code).digest();
}
