import { LockMode } from "@mikro-orm/postgresql";
import type { LoginInput, SignIn } from "../../../shared/auth.ts";
import { Username } from "../../../shared/users.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/network-of.ts";
import type { Verify } from "../../platform/password-hasher.ts";
import { UserEntity } from "../users/entity.ts";
import { currentUser, findByUsername } from "../users/queries.ts";
import { KnownAddressEntity } from "./entity.ts";
import { acceptSignIn, limitSignIn, type SignInLimits } from "./login-limit.ts";
import { createSession, type SessionCallDeps } from "./sessions.ts";

type SignInDeps = SessionCallDeps &
  Pick<Deps, "bus" | "log" | "metrics" | "passwords" | "attempts">;

/** The new session, and the password's hash that it was opened with. */
type OpenedSession = Awaited<ReturnType<typeof createSession>> & { readonly passwordHash: string };

/** Throws LOGIN_FAILED after the same work for an unknown name, a wrong password and a disabled account. */
export async function signIn(deps: SignInDeps, input: LoginInput): Promise<SignIn> {
  const { username, password } = input;
  const { ip, requestId } = deps.actor;
  try {
    const session = await deps.passwords.inTurn(ip, (verify) =>
      limitSignIn(deps, { username, ip }, (limits) =>
        openSession({ ...deps, verify }, input, limits),
      ),
    );
    if (session === null) throw new AppError("LOGIN_FAILED");

    await renewHash(deps, session, password, ip);
    for (const sessionId of session.endedIds) deps.bus.emit("sessions.ended", { sessionId });
    const user = await currentUser(deps, { id: session.userId });

    deps.log.info({ userId: user.id, username: user.username, ip, requestId }, "signed in");
    deps.metrics.signIns.inc({ outcome: "ok" });
    return { token: session.token, user };
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    const outcome =
      code === "LOGIN_FAILED" ? "refused" : code === "TOO_MANY_REQUESTS" ? "limited" : "error";
    deps.metrics.signIns.inc({ outcome });
    throw error;
  }
}

async function openSession(
  deps: SignInDeps & { readonly verify: Verify },
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
    const verified = { id: userId, isActive: true, passwordHash };
    const user = await em.findOne(UserEntity, verified, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (user === null) return null;
    const lastSignedInAt = deps.clock.now();
    await em.upsert(KnownAddressEntity, { user: userId, address: networkOf(ip), lastSignedInAt });
    await acceptSignIn({ ...deps, em }, limits);
    return createSession({ ...deps, em }, userId);
  });
  // Another sign-in may have hashed the same password anew: verify against what is stored now.
  if (session === null) return openSession(deps, input, limits);
  return { ...session, passwordHash };
}

async function renewHash(
  deps: SignInDeps,
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
