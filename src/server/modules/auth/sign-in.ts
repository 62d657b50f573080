import type { LoginInput, SignIn } from "../../../shared/auth.ts";
import { Username } from "../../../shared/users.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/network-of.ts";
import { UserEntity } from "../users/entity.ts";
import { lockActiveUser } from "../users/locks.ts";
import { findByUsername, signedInUser } from "../users/queries.ts";
import type { AuthDeps } from "./deps.ts";
import { rememberAddress } from "./known-addresses.ts";
import {
  acceptSignIn,
  type LimitDeps,
  limitSignIn,
  PASSWORD_CALL_LIMIT_MS,
  type SignInLimits,
} from "./login-limit.ts";
import type { Verify } from "./password-hasher.ts";
import { createSession, type NewSession } from "./sessions.ts";
import { withinTimeLimit } from "./time-limit.ts";

interface OpenedSession extends NewSession {
  /** The hash that the password was verified against. */
  readonly passwordHash: string;
}

/**
 * Throws LOGIN_FAILED after the same work for an unknown name, a wrong password and a disabled
 * account; UNAVAILABLE when all its waits together take too long.
 */
export async function signIn(deps: AuthDeps, input: LoginInput): Promise<SignIn> {
  try {
    const signedIn = await withinTimeLimit(PASSWORD_CALL_LIMIT_MS, (signal) =>
      tryToSignIn({ ...deps, signal }, input),
    );
    deps.metrics.signIns.inc({ outcome: "ok" });
    return signedIn;
  } catch (error) {
    deps.metrics.signIns.inc({ outcome: outcomeOf(error) });
    throw error;
  }
}

async function tryToSignIn(deps: LimitDeps, input: LoginInput): Promise<SignIn> {
  const { username, password } = input;
  const { ip, requestId } = deps.actor;
  const session = await deps.passwords.enqueue(ip, (verify) =>
    limitSignIn(deps, { username, ip }, (limits) =>
      openSession({ ...deps, verify }, input, limits),
    ),
  );
  if (session === null) throw new AppError("LOGIN_FAILED");

  await renewHash(deps, session, password, ip);
  for (const sessionId of session.endedIds) deps.bus.emit("sessions.ended", { sessionId });
  const user = await signedInUser(deps, { id: session.userId });

  deps.log.info({ userId: user.id, username: user.username, ip, requestId }, "signed in");
  return { token: session.token, user };
}

function outcomeOf(error: unknown): "refused" | "limited" | "error" {
  const code = error instanceof AppError ? error.code : null;
  if (code === "LOGIN_FAILED") return "refused";
  return code === "TOO_MANY_REQUESTS" ? "limited" : "error";
}

/** Null for an unknown name, a wrong password and a disabled account. */
async function openSession(
  deps: LimitDeps & { readonly verify: Verify },
  input: LoginInput,
  limits: SignInLimits,
): Promise<OpenedSession | null> {
  const { username, password } = input;
  const { ip, requestId } = deps.actor;
  const account = Username.safeParse(username).success
    ? await findByUsername(deps, username)
    : null;
  const isRight = await deps.verify(account?.passwordHash ?? null, password);
  if (account === null || !isRight || !account.isActive) {
    // Not an unknown name: it may be a password in the wrong field.
    deps.log.warn(
      { userId: account?.id, username: account?.username, ip, requestId },
      "sign-in failed",
    );
    return null;
  }

  const { id: userId, passwordHash } = account;
  const session = await inTransaction(deps, async (em) => {
    // Waits for a disabling, reset or deletion under way, which must not miss the new session.
    const user = await lockActiveUser(em, { id: userId, passwordHash });
    if (user === null) return null;

    const at = await deps.databaseClock.now(em);
    await rememberAddress(em, { userId, address: networkOf(ip), at });
    await acceptSignIn({ ...deps, em }, limits);
    // Nobody would learn its token.
    deps.signal.throwIfAborted();
    return createSession({ ...deps, em }, userId);
  });

  // Another sign-in may have hashed the same password anew: verify against what is stored now.
  if (session === null) return openSession(deps, input, limits);
  return { ...session, passwordHash };
}

async function renewHash(
  deps: AuthDeps,
  { userId, passwordHash }: OpenedSession,
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
