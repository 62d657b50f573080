import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { AuthDeps } from "./deps.ts";
import { SignInChallengeEntity } from "./entity.ts";
import { hashToken, newToken } from "./sessions.ts";

// Between the right password and the code, a sign-in waits as a challenge: a random token, of which
// only the hash is stored. It proves the password, and opens nothing by itself. It ends after five
// minutes, five wrong codes, or the first right one, and with the sessions of its user: a password
// that was reset meanwhile is proof of nothing.

export const CHALLENGE_SECONDS = 300;
const MAX_FAILURES = 5;

type ChallengeDeps = Pick<AuthDeps, "em" | "databaseClock">;

export interface Challenge {
  readonly challenge: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

export interface ChallengedUser {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** Inside a transaction that has locked the user. */
export async function openChallenge(
  { em, databaseClock }: ChallengeDeps,
  userId: string,
): Promise<Challenge> {
  const challenge = newToken();
  const expiresAt = (await databaseClock.now(em)) + CHALLENGE_SECONDS;
  await em.insert(SignInChallengeEntity, {
    tokenHash: hashToken(challenge),
    user: userId,
    failures: 0,
    expiresAt,
  });
  return { challenge, expiresAt };
}

/** Whose it is; null when it is unknown or has ended. */
export async function findChallenge(
  { em, databaseClock }: ChallengeDeps,
  challenge: string,
): Promise<ChallengedUser | null> {
  const now = await databaseClock.now(em);
  const found = await kyselyOf(em)
    .selectFrom("sign_in_challenges as c")
    .innerJoin("users as u", "u.id", "c.user")
    .select(["u.id", "u.username", "u.name"])
    .where("c.tokenHash", "=", hashToken(challenge))
    .where("c.expiresAt", ">", now)
    // One of the future was opened while the clock was ahead.
    .where("c.expiresAt", "<=", now + CHALLENGE_SECONDS + MAX_CLOCK_SKEW_SECONDS)
    .executeTakeFirst();
  return found ?? null;
}

/** Counts a wrong code. Inside a transaction that has locked the user. Whether it was the last. */
export async function countWrongCode(em: SqlEntityManager, challenge: string): Promise<boolean> {
  const { failures } = await kyselyOf(em)
    .updateTable("sign_in_challenges")
    .set((eb) => ({ failures: eb("failures", "+", 1) }))
    .where("tokenHash", "=", hashToken(challenge))
    .returning("failures")
    .executeTakeFirstOrThrow();
  if (failures < MAX_FAILURES) return false;

  await endChallenge(em, challenge);
  return true;
}

export async function endChallenge(em: SqlEntityManager, challenge: string): Promise<void> {
  await em.nativeDelete(SignInChallengeEntity, { tokenHash: hashToken(challenge) });
}
