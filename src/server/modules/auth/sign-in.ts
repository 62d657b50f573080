import type { LoginAnswer, LoginInput } from "../../../shared/auth.ts";
import { Username } from "../../../shared/users.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { UserEntity } from "../users/entity.ts";
import { lockActiveUser } from "../users/locks.ts";
import { findByUsername } from "../users/queries.ts";
import { countOutcome } from "./count-outcome.ts";
import type { AuthDeps } from "./deps.ts";
import {
  type LimitDeps,
  limitSignIn,
  PASSWORD_CALL_LIMIT_MS,
  type SignInLimits,
  takeBackSignIn,
} from "./login-limit.ts";
import type { Verify } from "./password-hasher.ts";
import { findSecondFactor } from "./second-factor.ts";
import type { NewSession } from "./sessions.ts";
import { type Challenge, openChallenge } from "./sign-in-challenges.ts";
import { accountSubject, answerSignIn, type SigningIn, startSession } from "./start-session.ts";
import { withinTimeLimit } from "./time-limit.ts";

/** What follows a right password. */
type NextStep =
  | { readonly kind: "session"; readonly session: NewSession }
  | { readonly kind: "challenge"; readonly challenge: Challenge };

interface VerifiedPassword {
  readonly userId: string;
  /** The hash that the password was verified against. */
  readonly passwordHash: string;
  readonly next: NextStep;
}

/**
 * Opens a session, or for a user with a second factor a challenge. Throws LOGIN_FAILED after the same
 * work for an unknown name, a wrong password and a disabled account; UNAVAILABLE when all its waits
 * together take too long.
 */
export async function signIn(deps: AuthDeps, input: LoginInput): Promise<LoginAnswer> {
  return await countOutcome(deps, "refused", () =>
    withinTimeLimit(PASSWORD_CALL_LIMIT_MS, (signal) => tryToSignIn({ ...deps, signal }, input)),
  );
}

async function tryToSignIn(deps: LimitDeps, input: LoginInput): Promise<LoginAnswer> {
  const { username, password } = input;
  const { ip } = deps.actor;
  const verified = await deps.passwords.enqueue(ip, (verify) =>
    limitSignIn(deps, { username, ip, guessed: "密码" }, (limits) =>
      verifyPassword({ ...deps, verify }, input, limits),
    ),
  );
  if (verified === null) throw new AppError("LOGIN_FAILED");

  await renewHash(deps, verified, password, ip);
  const { next } = verified;
  return next.kind === "session"
    ? await answerSignIn(deps, next.session)
    : { secondFactor: next.challenge };
}

/** Null for an unknown name, a wrong password and a disabled account. */
async function verifyPassword(
  deps: LimitDeps & { readonly verify: Verify },
  input: LoginInput,
  limits: SignInLimits,
): Promise<VerifiedPassword | null> {
  const { username, password } = input;
  const { ip, requestId } = deps.actor;
  const account = Username.safeParse(username).success
    ? await findByUsername(deps, username)
    : null;
  const isRight = await deps.verify(account?.passwordHash ?? null, password);
  if (account !== null) noteSubject(deps, accountSubject(account));
  if (account === null || !isRight || !account.isActive) {
    // Not an unknown name: it may be a password in the wrong field.
    deps.log.warn(
      { userId: account?.id, username: account?.username, ip, requestId },
      "sign-in failed",
    );
    return null;
  }

  const { id: userId, passwordHash } = account;
  const next = await inTransaction(deps, async (em) => {
    // Waits for a disabling, reset or deletion under way, which must not miss the new session.
    const user = await lockActiveUser(em, { id: userId, passwordHash });
    return user === null ? null : await beginNextStep({ ...deps, em }, user, limits);
  });

  // Another sign-in may have hashed the same password anew: verify against what is stored now.
  if (next === null) return verifyPassword(deps, input, limits);
  return { userId, passwordHash, next };
}

/** Inside a transaction that has locked the user. */
async function beginNextStep(
  deps: LimitDeps,
  user: SigningIn,
  limits: SignInLimits,
): Promise<NextStep> {
  if ((await findSecondFactor(deps.em, user.id)) === null) {
    const session = await startSession(deps, user, { action: "auth.login", limits });
    return { kind: "session", session };
  }

  await takeBackSignIn(deps, limits);
  const challenge = await openChallenge(deps, user.id);
  // Nobody is signed in yet, and the entry must not read as if somebody were.
  const changes = fieldChanges(null, { secondFactor: "awaited" });
  const subject = accountSubject(user);
  await recordAudit(deps, { action: "auth.login", subject, changes }, deps.clock.now());
  return { kind: "challenge", challenge };
}

async function renewHash(
  deps: AuthDeps,
  { userId, passwordHash }: VerifiedPassword,
  password: string,
  ip: string,
): Promise<void> {
  if (!deps.passwords.needsRehash(passwordHash)) return;
  try {
    const renewed = await deps.passwords.hash(password, ip);
    const verified = { id: userId, passwordHash };
    await inTransaction(deps, (em) =>
      em.nativeUpdate(UserEntity, verified, { passwordHash: renewed }),
    );
  } catch (error) {
    deps.log.warn({ userId, err: error }, "password hash not renewed");
  }
}
