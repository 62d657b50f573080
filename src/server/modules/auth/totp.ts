import { Secret, TOTP } from "otpauth";
import type { Deps } from "../../platform/deps.ts";
import { locateSecret, type SealedColumn } from "../../platform/secrets.ts";

// Time-based one-time passwords, RFC 6238, as every authenticator makes them. A code belongs to a
// time step: the number of whole periods since 1970.

const ISSUER = "多主机管理系统";
const PERIOD_SECONDS = 30;
const PARAMETERS = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS } as const;
/** Steps by which the clock of a phone may be off, either way. */
const DRIFT_STEPS = 1;
/** As long as a SHA-1 hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

export const TOTP_SECRET: SealedColumn = { table: "second_factors", column: "secret_sealed" };

/** In Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

export function sealTotpSecret(
  { secrets }: Pick<Deps, "secrets">,
  secondFactorId: string,
  secret: string,
): string {
  return secrets.seal(secret, locateSecret(TOTP_SECRET, secondFactorId));
}

/** Throws when the secret was tampered with, moved, or sealed with a key that is not held. */
export function openTotpSecret(
  { secrets }: Pick<Deps, "secrets">,
  secondFactorId: string,
  sealed: string,
): string {
  return secrets.open(sealed, locateSecret(TOTP_SECRET, secondFactorId));
}

/** What authenticators read from a QR code. */
export function otpauthUrl(secret: string, username: string): string {
  return totpOf(secret, username).toString();
}

export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/** The step that a code belongs to, if that is the present one or next to it; else null. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const offset = totpOf(secret).validate({
    token: code,
    timestamp: now * 1000,
    window: DRIFT_STEPS,
  });
  return offset === null ? null : stepAt(now) + offset;
}

/** `time` in Unix seconds. */
export function stepAt(time: number): number {
  return Math.floor(time / PERIOD_SECONDS);
}

function totpOf(secret: string, label?: string): TOTP {
  return new TOTP({
    ...PARAMETERS,
    issuer: ISSUER,
    ...(label === undefined ? {} : { label }),
    secret: Secret.fromBase32(secret),
  });
}
