import type { SignIn } from "../../../shared/auth.ts";
import { CHALLENGE_ENDED } from "../../../shared/challenge-ended.ts";
import type { SecondFactorInput } from "../../../shared/second-factor.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { type FieldChange, fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { lockActiveUser } from "../users/locks.ts";
import { countOutcome } from "./count-outcome.ts";
import type { AuthDeps } from "./deps.ts";
import {
  type LimitDeps,
  limitSignIn,
  PASSWORD_CALL_LIMIT_MS,
  type SignInLimits,
} from "./login-limit.ts";
import { type AcceptedCode, acceptCode, findSecondFactor, WRONG_CODE } from "./second-factor.ts";
import type { NewSession } from "./sessions.ts";
import { countWrongCode, endChallenge, findChallenge } from "./sign-in-challenges.ts";
import { accountSubject, answerSignIn, startSession } from "./start-session.ts";
import { withinTimeLimit } from "./time-limit.ts";

type Outcome =
  | { readonly kind: "accepted"; readonly session: NewSession }
  | { readonly kind: "wrong code" }
  | { readonly kind: "challenge ended" };

/**
 * The second step of a sign-in. Throws LOGIN_FAILED for a wrong code and for a challenge that is
 * unknown or has ended; UNAVAILABLE when all its waits together take too long.
 */
export async function completeSignIn(deps: AuthDeps, input: SecondFactorInput): Promise<SignIn> {
  return await countOutcome(deps, "code_refused", () =>
    withinTimeLimit(PASSWORD_CALL_LIMIT_MS, (signal) => tryToComplete({ ...deps, signal }, input)),
  );
}

async function tryToComplete(deps: LimitDeps, input: SecondFactorInput): Promise<SignIn> {
  const { ip, requestId } = deps.actor;
  const found = await findChallenge(deps, input.challenge);
  if (found === null) throw challengeEnded();

  noteSubject(deps, accountSubject(found));
  const { id: userId, username } = found;
  const outcome = await limitSignIn(deps, { username, ip, guessed: "验证码" }, (limits) =>
    inTransaction(deps, (em) => judgeCode({ ...deps, em }, input, { userId, limits })),
  );
  if (outcome.kind === "accepted") return await answerSignIn(deps, outcome.session);

  deps.log.warn({ userId, username, ip, requestId }, "second factor refused");
  throw outcome.kind === "wrong code" ? new AppError("LOGIN_FAILED", WRONG_CODE) : challengeEnded();
}

/**
 * Inside a transaction. The lock of the user lets the codes of several calls in one after the other:
 * of those with one challenge, a right code ends it for the others.
 */
async function judgeCode(
  deps: LimitDeps,
  { challenge, code }: SecondFactorInput,
  { userId, limits }: { readonly userId: string; readonly limits: SignInLimits },
): Promise<Outcome> {
  const { em } = deps;
  const user = await lockActiveUser(em, { id: userId });
  const factor = await findSecondFactor(em, userId);
  const isLive = (await findChallenge(deps, challenge)) !== null;
  if (user === null || factor === null || !isLive) return { kind: "challenge ended" };

  const accepted = await acceptCode(deps, factor, code);
  if (accepted === null) {
    const wasLast = await countWrongCode(em, challenge);
    return { kind: wasLast ? "challenge ended" : "wrong code" };
  }

  await endChallenge(em, challenge);
  const session = await startSession(deps, user, {
    action: "auth.secondFactor",
    changes: recoveryCodeChanges(accepted),
    limits,
  });
  return { kind: "accepted", session };
}

/** So that whoever reads the entry can tell a recovery code from one of the authenticator. */
function recoveryCodeChanges(accepted: AcceptedCode): FieldChange[] {
  if (accepted.kind === "totp") return [];
  const { left } = accepted;
  return fieldChanges({ recoveryCodes: left + 1 }, { recoveryCodes: left });
}

function challengeEnded(): AppError {
  return new AppError("LOGIN_FAILED", CHALLENGE_ENDED);
}
