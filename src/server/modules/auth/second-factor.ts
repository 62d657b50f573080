import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import type { AuthDeps } from "./deps.ts";
import { SecondFactorEntity, type SecondFactorRow } from "./entity.ts";
import { acceptRecoveryCode } from "./recovery-codes.ts";
import {
  isTotpCode,
  newTotpSecret,
  openTotpSecret,
  sealTotpSecret,
  stepAt,
  stepOfCode,
} from "./totp.ts";

// The second factor of a user: a secret that the server and an authenticator share. It is set up
// first, and on once a code has confirmed that the authenticator has it. All of these functions run
// inside a transaction that has locked the user.
//
// A code is accepted once, on whichever replica. Of a TOTP code that is decided by one conditional
// update: the time step of the code must lie after that of the last one that was accepted. Of a
// recovery code by deleting its row. Whoever reads a code over a shoulder comes too late with it.

/** How a code was right. */
export type AcceptedCode =
  | { readonly kind: "totp" }
  /** `left`: how many recovery codes are left after it. */
  | { readonly kind: "recovery code"; readonly left: number };

export const WRONG_TOTP_CODE = "验证码不正确，或已经使用过";
/** Where either kind is accepted. */
export const WRONG_CODE = "验证码或恢复码不正确，或已经使用过";

type CodeDeps = Pick<AuthDeps, "em" | "databaseClock" | "secrets">;

/** The second factor that is on; null without one. */
export async function findSecondFactor(
  em: SqlEntityManager,
  userId: string,
): Promise<SecondFactorRow | null> {
  return await em.findOne(
    SecondFactorEntity,
    { user: userId, confirmedAt: { $ne: null } },
    { refresh: true },
  );
}

/** Sets one up that is not on yet, in the place of an earlier one that was not confirmed. */
export async function setUpSecondFactor(
  deps: Pick<AuthDeps, "em" | "clock" | "secrets">,
  userId: string,
): Promise<{ readonly secret: string }> {
  const { em, clock } = deps;
  await em.nativeDelete(SecondFactorEntity, { user: userId, confirmedAt: null });

  const id = newId();
  const secret = newTotpSecret();
  await em.insert(SecondFactorEntity, {
    id,
    user: userId,
    secretSealed: sealTotpSecret(deps, id, secret),
    confirmedAt: null,
    lastUsedStep: 0,
    createdAt: clock.now(),
  });
  return { secret };
}

/** The one that is set up and not on yet; null without one. */
export async function findUnconfirmed(
  em: SqlEntityManager,
  userId: string,
): Promise<SecondFactorRow | null> {
  return await em.findOne(
    SecondFactorEntity,
    { user: userId, confirmedAt: null },
    { refresh: true },
  );
}

export async function confirmSecondFactor(em: SqlEntityManager, id: string, at: number) {
  await em.nativeUpdate(SecondFactorEntity, { id }, { confirmedAt: at });
}

/** With its recovery codes. Whether there was one, on or only set up. */
export async function removeSecondFactor(em: SqlEntityManager, userId: string): Promise<boolean> {
  return (await em.nativeDelete(SecondFactorEntity, { user: userId })) > 0;
}

/** Accepts a TOTP code or a recovery code. Null for a wrong one, and for one that was used. */
export async function acceptCode(
  deps: CodeDeps,
  factor: SecondFactorRow,
  code: string,
): Promise<AcceptedCode | null> {
  if (isTotpCode(code)) {
    return (await acceptTotpCode(deps, factor, code)) ? { kind: "totp" } : null;
  }

  const left = await acceptRecoveryCode(deps.em, factor.id, code);
  return left === null ? null : { kind: "recovery code", left };
}

/** By the database's clock, so that all replicas agree on the present step. */
export async function acceptTotpCode(
  deps: CodeDeps,
  { id, secretSealed }: SecondFactorRow,
  code: string,
): Promise<boolean> {
  const { em, databaseClock } = deps;
  const now = await databaseClock.now(em);
  const step = stepOfCode(openTotpSecret(deps, id, secretSealed), code, now);
  if (step === null) return false;

  // A step of the future was used while the clock was ahead. It would refuse every code until then.
  const latest = stepAt(now + MAX_CLOCK_SKEW_SECONDS);
  const isUnused = { $or: [{ lastUsedStep: { $lt: step } }, { lastUsedStep: { $gt: latest } }] };
  const used = await em.nativeUpdate(
    SecondFactorEntity,
    { id, ...isUnused },
    { lastUsedStep: step },
  );
  return used === 1;
}
