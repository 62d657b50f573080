import { LockMode } from "@mikro-orm/postgresql";
import type { LoginInput, SignIn } from "../../shared/auth.ts";
import { Username } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { networkOf } from "../core/network-of.ts";
import { inTransaction } from "../database/transaction.ts";
import { UserEntity } from "../users/entity.ts";
import { currentUser, findByUsername } from "../users/queries.ts";
import { KnownAddressEntity } from "./entity.ts";
import { acceptSignIn, releaseOnError, reserveSignIn, type SignInLimits } from "./login-limit.ts";
import { type CallOrigin, createSession } from "./sessions.ts";

type SignInDeps = Pick<Deps, "em" | "bus" | "clock" | "log" | "metrics" | "passwords" | "sessionLimits">;

/** Throws LOGIN_FAILED after the same work for an unknown name, a wrong password and a disabled account. */
export async function signIn(deps: SignInDeps, input: LoginInput, origin: CallOrigin): Promise<SignIn> {
  try {
    const limits = await reserveSignIn(deps, input.username, origin.ip);
    const session = await releaseOnError(deps, Object.values(limits), openSession(deps, input, origin, limits));
    if (session === null) throw new AppError("LOGIN_FAILED");
    for (const sessionId of session.endedIds) deps.bus.emit("sessions.ended", { sessionId });
    const user = await currentUser(deps, { id: session.userId });
    deps.metrics.signIns.inc({ outcome: "ok" });
    return { token: session.token, user };
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    const outcome = code === "LOGIN_FAILED" ? "refused" : code === "TOO_MANY_REQUESTS" ? "limited" : "error";
    deps.metrics.signIns.inc({ outcome });
    throw error;
  }
}

async function openSession(
  deps: SignInDeps,
  input: LoginInput,
  origin: CallOrigin,
  limits: SignInLimits,
): Promise<Awaited<ReturnType<typeof createSession>> | null> {
  const { username, password } = input;
  const { ip, requestId } = origin;
  const account = Username.safeParse(username).success ? await findByUsername(deps, username) : null;
  const isRight = await deps.passwords.verify(account?.passwordHash ?? null, password, ip);
  if (account === null || !isRight || !account.isActive) {
    // Not an unknown name: it may be a password in the wrong field.
    deps.log.warn({ userId: account?.id, username: account?.username, ip, requestId }, "sign-in failed");
    return null;
  }
  const { id: userId, passwordHash } = account;
  const session = await inTransaction(deps, async (em) => {
    // Waits for a disabling, reset or deletion under way, which must not miss the new session.
    const verified = { id: userId, isActive: true, passwordHash };
    const user = await em.findOne(UserEntity, verified, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (user === null) return null;
    const lastSignedInAt = deps.clock.now();
    await em.upsert(KnownAddressEntity, { user: userId, address: networkOf(ip), lastSignedInAt });
    await acceptSignIn({ ...deps, em }, limits);
    return createSession({ ...deps, em }, userId, origin);
  });
  // Another sign-in may have hashed the same password anew: verify against what is stored now.
  if (session === null) return openSession(deps, input, origin, limits);
  if (deps.passwords.needsRehash(passwordHash)) {
    const renewed = deps.passwords.hash(password, ip);
    await renewed
      .then((hash) => deps.em.nativeUpdate(UserEntity, { id: userId, passwordHash }, { passwordHash: hash }))
      .catch((error: unknown) => deps.log.warn({ userId, err: error }, "password hash not renewed"));
  }
  deps.log.info({ userId, username: account.username, ip, requestId }, "signed in");
  return session;
}
