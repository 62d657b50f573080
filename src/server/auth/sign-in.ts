import { createHash } from "node:crypto";
import type { LoginInput, SignIn } from "../../shared/auth.ts";
import { Username } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { UserTables } from "../users/entity.ts";
import type { Account } from "../users/find-account.ts";
import { findUser } from "../users/queries.ts";
import { findCandidate } from "./candidate.ts";
import { accountKey, countFailure, forgetFailures } from "./login-limit.ts";
import { type CallOrigin, openSession } from "./sessions.ts";

type SignInDeps = Pick<Deps, "em" | "clock" | "log" | "metrics" | "passwords" | "sessionLimits">;

/** How often a password may be changed or re-hashed by others while one sign-in is under way. */
const MAX_TRIES = 3;

/**
 * Throws LOGIN_FAILED, in the same words and after the same work, for an unknown name, a wrong password and a disabled
 * account; TOO_MANY_REQUESTS when the name has failed too often, even for the right password.
 */
export async function signIn(deps: SignInDeps, input: LoginInput, origin: CallOrigin): Promise<SignIn> {
  try {
    const signedIn = await trySignIn(deps, input, origin);
    deps.metrics.signIns.inc({ outcome: "ok" });
    return signedIn;
  } catch (error) {
    deps.metrics.signIns.inc({ outcome: outcomeOf(error) });
    throw error;
  }
}

function outcomeOf(error: unknown): "refused" | "limited" | "error" {
  const code = error instanceof AppError ? error.code : null;
  if (code === "LOGIN_FAILED") return "refused";
  return code === "TOO_MANY_REQUESTS" ? "limited" : "error";
}

async function trySignIn(deps: SignInDeps, input: LoginInput, origin: CallOrigin): Promise<SignIn> {
  const key = accountKey(input.username);
  const username = Username.safeParse(input.username).success ? input.username : null;
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    const account = await findCandidate(deps, { username, key });
    if (!(await isRight(deps, account, input.password)) || !account?.isActive) {
      logFailure(deps, account, input.username, origin);
      await countFailure(deps, key);
      throw new AppError("LOGIN_FAILED");
    }
    // Failures that came in meanwhile close the door for right passwords too, or the answer would tell which one it was.
    const opened = await openSession(deps, { account, key }, origin);
    if (opened === null) continue;
    if (opened.failures > 0) await forgetFailures(deps, key);
    await strengthen(deps, account, input.password);
    deps.log.info({ userId: account.id, username: account.username, ...where(origin) }, "signed in");
    return { token: opened.token, user: await signedInUser(deps, account.id) };
  }
  throw new AppError("LOGIN_FAILED");
}

/** The user for the answer of a sign-in or refresh; gone within the same moment = not signed in. */
export async function signedInUser(deps: Pick<Deps, "em">, userId: string): Promise<SignIn["user"]> {
  const user = await findUser(deps.em, userId);
  if (user === null) throw new AppError("UNAUTHENTICATED");
  return user;
}

async function isRight(deps: SignInDeps, account: Account | null, password: string): Promise<boolean> {
  if (account !== null) return deps.passwords.verify(account.passwordHash, password);
  await deps.passwords.verifyNothing(password);
  return false;
}

/** Renews a hash made with weaker parameters. The sign-in stands whether or not this works. */
async function strengthen(deps: SignInDeps, account: Account, password: string): Promise<void> {
  if (!deps.passwords.needsRehash(account.passwordHash)) return;
  try {
    const passwordHash = await deps.passwords.hash(password);
    await deps.em
      .getKysely<UserTables>()
      .updateTable("users")
      .set({ password_hash: passwordHash })
      .where("id", "=", account.id)
      .where("password_hash", "=", account.passwordHash)
      .execute();
  } catch (error) {
    deps.log.warn({ userId: account.id, err: error }, "password hash not renewed");
  }
}

/** What was typed as a name may be a password typed into the wrong field, so an unknown one is logged as a fingerprint only. */
function logFailure(deps: SignInDeps, account: Account | null, typed: string, origin: CallOrigin): void {
  const name =
    account === null
      ? { nameHash: createHash("sha256").update(typed.toLowerCase()).digest("hex").slice(0, 12) }
      : { userId: account.id, username: account.username };
  deps.log.warn({ ...name, ...where(origin) }, "sign-in failed");
}

function where({ ip, requestId }: CallOrigin) {
  return { ip, requestId };
}
