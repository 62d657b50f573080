import { createHash } from "node:crypto";
import { LockMode } from "@mikro-orm/postgresql";
import type { LoginInput, SignIn } from "../../shared/auth.ts";
import { Username } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { inTransaction } from "../database/transaction.ts";
import { UserEntity } from "../users/entity.ts";
import { findByUsername } from "../users/queries.ts";
import { noteAddress } from "./known-addresses.ts";
import { releaseOnError, reserveSignIn, type SignInLimits, settleSignIn } from "./login-limit.ts";
import { currentUser } from "./own-sessions.ts";
import { type CallOrigin, createSession, type NewSession } from "./sessions.ts";

type SignInDeps = Pick<Deps, "em" | "bus" | "clock" | "log" | "metrics" | "passwords" | "sessionLimits">;
type Account = NonNullable<Awaited<ReturnType<typeof findByUsername>>>;

/** Throws LOGIN_FAILED after the same work for an unknown name, a wrong password and a disabled account. */
export async function signIn(deps: SignInDeps, input: LoginInput, origin: CallOrigin): Promise<SignIn> {
  try {
    const signedIn = await trySignIn(deps, input, origin);
    deps.metrics.signIns.inc({ outcome: "ok" });
    return signedIn;
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    const outcome = code === "LOGIN_FAILED" ? "refused" : code === "TOO_MANY_REQUESTS" ? "limited" : "error";
    deps.metrics.signIns.inc({ outcome });
    throw error;
  }
}

async function trySignIn(deps: SignInDeps, input: LoginInput, origin: CallOrigin): Promise<SignIn> {
  const limits = await reserveSignIn(deps, input.username, origin.ip);
  const opened = await releaseOnError(deps, limits, openSession(deps, { input, origin, limits }));
  if (opened === null) throw new AppError("LOGIN_FAILED");
  for (const sessionId of opened.endedIds) deps.bus.emit("sessions.ended", { sessionId });
  return { token: opened.token, user: await currentUser(deps, { id: opened.userId }) };
}

interface Attempt {
  readonly input: LoginInput;
  readonly origin: CallOrigin;
  readonly limits: SignInLimits;
}

/** Null for a wrong name or password and for a disabled account. */
async function openSession(deps: SignInDeps, attempt: Attempt): Promise<NewSession | null> {
  const { input, origin, limits } = attempt;
  const account = Username.safeParse(input.username).success ? await findByUsername(deps, input.username) : null;
  const isRight = await deps.passwords.verify(account?.passwordHash ?? null, input.password, origin.ip);
  if (account === null || !isRight || !account.isActive) {
    logFailure(deps, account, attempt);
    return null;
  }
  const { id: userId, passwordHash } = account;
  const session = await inTransaction(deps, async (em) => {
    // Waits for a disabling, reset or deletion under way, which must not miss the new session.
    const verified = { id: userId, isActive: true, passwordHash };
    const user = await em.findOne(UserEntity, verified, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (user === null) return null;
    const inside = { ...deps, em };
    await noteAddress(inside, userId, origin.ip);
    await settleSignIn(inside, limits);
    return createSession(inside, userId, origin);
  });
  // Another sign-in may have hashed the same password anew: verify against what is stored now.
  if (session === null) return openSession(deps, attempt);
  await rehash(deps, account, attempt);
  deps.log.info({ userId, username: account.username, ip: origin.ip, requestId: origin.requestId }, "signed in");
  return session;
}

/** Replaces a hash of other parameters. The sign-in stands whether or not this works. */
async function rehash(deps: SignInDeps, { id, passwordHash }: Account, { input, origin }: Attempt): Promise<void> {
  if (!deps.passwords.needsRehash(passwordHash)) return;
  try {
    const renewed = await deps.passwords.hash(input.password, origin.ip);
    await deps.em.nativeUpdate(UserEntity, { id, passwordHash }, { passwordHash: renewed });
  } catch (error) {
    deps.log.warn({ userId: id, err: error }, "password hash not renewed");
  }
}

/** An unknown name may be a password typed into the wrong field, so it is logged as a fingerprint. */
function logFailure(deps: SignInDeps, account: Account | null, { input, origin }: Attempt): void {
  const fingerprint = createHash("sha256").update(input.username.toLowerCase()).digest("hex").slice(0, 12);
  const name = account === null ? { nameHash: fingerprint } : { userId: account.id, username: account.username };
  deps.log.warn({ ...name, ip: origin.ip, requestId: origin.requestId }, "sign-in failed");
}
