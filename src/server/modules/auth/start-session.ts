import type { SignIn } from "../../../shared/auth.ts";
import { userActor } from "../../platform/actor.ts";
import { networkOf } from "../../platform/network-of.ts";
import type { FieldChange } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { signedInUser } from "../users/queries.ts";
import type { AuthDeps } from "./deps.ts";
import { rememberAddress } from "./known-addresses.ts";
import { acceptSignIn, type LimitDeps, type SignInLimits } from "./login-limit.ts";
import { notifyOfNewAddress } from "./notices.ts";
import { createSession, type NewSession } from "./sessions.ts";

export interface SigningIn {
  readonly id: string;
  readonly name: string;
}

interface LastStep {
  readonly action: "auth.login" | "auth.secondFactor";
  /** What it changed beside the session, for its entry. */
  readonly changes?: readonly FieldChange[];
  readonly limits: SignInLimits;
}

/** The last step of a sign-in, inside a transaction that has locked the user. */
export async function startSession(
  deps: LimitDeps,
  user: SigningIn,
  { action, changes = [], limits }: LastStep,
): Promise<NewSession> {
  const { id: userId } = user;
  const { ip } = deps.actor;
  const at = await deps.databaseClock.now(deps.em);
  const isNew = await rememberAddress(deps.em, { userId, address: networkOf(ip), at });
  const now = deps.clock.now();
  if (isNew) await notifyOfNewAddress(deps, { userId, ip }, now);
  await acceptSignIn(deps, limits);
  // Nobody would learn its token.
  deps.signal.throwIfAborted();
  const session = await createSession(deps, userId);

  const signedIn = { ...deps, actor: userActor(deps.actor, user) };
  await recordAudit(signedIn, { action, subject: accountSubject(user), changes }, now);
  return session;
}

export function accountSubject({ id, name }: SigningIn) {
  return { type: "user", id, label: name } as const;
}

/** After the commit. */
export async function answerSignIn(
  deps: AuthDeps,
  { userId, token, endedIds }: NewSession,
): Promise<SignIn> {
  for (const credentialId of endedIds) deps.bus.emit("sessions.ended", { credentialId });
  const user = await signedInUser(deps, { id: userId });
  return { token, user };
}
