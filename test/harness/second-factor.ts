import { Secret, TOTP } from "otpauth";
import { v7 as newId } from "uuid";
import { hashToken } from "../../src/server/modules/auth/sessions.ts";
import { CHALLENGE_SECONDS } from "../../src/server/modules/auth/sign-in-challenges.ts";
import { TOTP_SECRET } from "../../src/server/modules/auth/totp.ts";
import { createSecretBox, locateSecret } from "../../src/server/platform/secrets.ts";
import { insertRows, type Queryable } from "./database.ts";
import { assertOk, type RestClient } from "./rest.ts";
import { PASSWORD } from "./root-user.ts";
import { ENCRYPTION_KEY } from "./storage.ts";

/** Of one time step. Seconds. */
export const STEP = 30;
/** Of the second factors that tests store themselves. */
export const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** The code that an authenticator with the secret shows at this time, in Unix seconds. */
export function codeAt(secret: string, time: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time * 1000 });
}

export interface Enabled {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Switches the caller's second factor on, with the code of this time. */
export async function enableSecondFactor(
  own: RestClient,
  now: number,
  password = PASSWORD,
): Promise<Enabled> {
  const setUp = await assertOk(own.post("/api/auth/totp/setup", { password }));
  const secret = String(setUp.data.secret);
  const code = codeAt(secret, now);
  const confirmed = await assertOk(own.post("/api/auth/totp/confirm", { code }));
  return { secret, recoveryCodes: confirmed.data.recoveryCodes };
}

/** Stores one with `SECRET` for a test server, on or only set up. */
export async function insertSecondFactor(
  database: Queryable,
  userId: string,
  { confirmedAt = 1 }: { readonly confirmedAt?: number | null } = {},
): Promise<void> {
  const id = newId();
  const box = createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64"));
  const secret_sealed = box.seal(SECRET, locateSecret(TOTP_SECRET, id));
  const times = { confirmed_at: confirmedAt, last_used_step: 0, created_at: 1 };
  await insertRows(database, "second_factors", [{ id, user_id: userId, secret_sealed, ...times }]);
}

interface StoredChallenge {
  /** Of its user. */
  readonly id: string;
  readonly challenge: string;
  readonly now: number;
}

/** Stores what a right password of the user opens. */
export async function insertChallenge(
  database: Queryable,
  { id, challenge, now }: StoredChallenge,
): Promise<void> {
  await database.query(
    `insert into sign_in_challenges (token_hash, user_id, expires_at)
     values ($1, $2, $3)
     on conflict do nothing`,
    [hashToken(challenge), id, now + CHALLENGE_SECONDS],
  );
}
