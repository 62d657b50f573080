import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Nothing } from "../../../shared/ids.ts";
import type {
  ConfirmTotpInput,
  OwnSecondFactorInput,
  RecoveryCodes,
  SetUpTotpInput,
  TotpSetUp,
} from "../../../shared/second-factor.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { publishUserChanged } from "../users/events.ts";
import type { AuthDeps } from "./deps.ts";
import type { SecondFactorRow } from "./entity.ts";
import {
  clearFailures,
  type Limit,
  type LimitDeps,
  limitOwnCode,
  PASSWORD_CALL_LIMIT_MS,
} from "./login-limit.ts";
import { verifyOwnPassword } from "./own-password.ts";
import { recordOwnAct } from "./record-own-act.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import {
  acceptCode,
  acceptTotpCode,
  confirmSecondFactor,
  findSecondFactor,
  findUnconfirmed,
  removeSecondFactor,
  setUpSecondFactor,
  WRONG_CODE,
  WRONG_TOTP_CODE,
} from "./second-factor.ts";
import { endSessions, lockOwnUser } from "./sessions.ts";
import { withinTimeLimit } from "./time-limit.ts";
import { otpauthUrl } from "./totp.ts";

/**
 * Makes a secret; nothing is on yet, and the newest one counts. Throws WRONG_PASSWORD, and
 * STATE_CONFLICT when a second factor is on.
 */
export async function setUpTotp(
  deps: AuthDeps,
  caller: Caller,
  { password }: SetUpTotpInput,
): Promise<TotpSetUp> {
  await checkOwnPassword(deps, caller, password);

  const { secret } = await inTransaction(deps, async (em) => {
    await lockOwnUser(em, caller);
    await assertOff(em, caller.id);
    const factor = await setUpSecondFactor({ ...deps, em }, caller.id);
    await recordOwnAct({ ...deps, em }, caller, { action: "auth.setUpTotp" });
    return factor;
  });
  return { secret, otpauthUrl: otpauthUrl(secret, caller.username) };
}

/**
 * Switches the second factor on and ends the caller's other sessions, which were opened without it.
 * Throws INVALID_INPUT on `code`, and STATE_CONFLICT when nothing is set up or one is on already.
 */
export async function confirmTotp(
  deps: AuthDeps,
  caller: Caller,
  { code }: ConfirmTotpInput,
): Promise<RecoveryCodes> {
  const recoveryCodes = await withOwnCode(deps, caller, WRONG_TOTP_CODE, (limited, limits) =>
    inTransaction(limited, async (em) => {
      await lockOwnUser(em, caller);
      await assertOff(em, caller.id);
      const factor = await findUnconfirmed(em, caller.id);
      if (factor === null) throw new AppError("STATE_CONFLICT", "请先获取验证器的密钥");
      if (!(await acceptTotpCode({ ...limited, em }, factor, code))) return null;

      await clearFailures(em, limits);
      const now = limited.clock.now();
      await confirmSecondFactor(em, factor.id, now);
      const codes = await replaceRecoveryCodes(em, factor.id);
      await endSessions(em, caller.id, caller.credentialId);
      const changes = fieldChanges({ secondFactorEnabled: false }, { secondFactorEnabled: true });
      await recordOwnAct({ ...limited, em }, caller, { action: "auth.confirmTotp", changes });
      await publishUserChanged(em, { userId: caller.id }, now);
      // Nobody would learn the recovery codes.
      limited.signal.throwIfAborted();
      return codes;
    }),
  );
  deps.bus.emit("sessions.ended", { userId: caller.id, exceptCredentialId: caller.credentialId });
  return { recoveryCodes };
}

/** Throws WRONG_PASSWORD, INVALID_INPUT on `code`, and STATE_CONFLICT without a second factor. */
export async function renewRecoveryCodes(
  deps: AuthDeps,
  caller: Caller,
  { password, code }: OwnSecondFactorInput,
): Promise<RecoveryCodes> {
  await checkOwnPassword(deps, caller, password);

  const recoveryCodes = await withOwnCode(deps, caller, WRONG_CODE, (limited, limits) =>
    inTransaction(limited, async (em) => {
      await lockOwnUser(em, caller);
      const factor = await findOwnFactor(em, caller);
      if ((await acceptCode({ ...limited, em }, factor, code)) === null) return null;

      await clearFailures(em, limits);
      const codes = await replaceRecoveryCodes(em, factor.id);
      await recordOwnAct({ ...limited, em }, caller, { action: "auth.renewRecoveryCodes" });
      limited.signal.throwIfAborted();
      return codes;
    }),
  );
  return { recoveryCodes };
}

/**
 * Ends the caller's other sessions, too. Throws WRONG_PASSWORD, INVALID_INPUT on `code`, and
 * STATE_CONFLICT without a second factor.
 */
export async function disableTotp(
  deps: AuthDeps,
  caller: Caller,
  { password, code }: OwnSecondFactorInput,
): Promise<Nothing> {
  await checkOwnPassword(deps, caller, password);

  const disabled = await withOwnCode(deps, caller, WRONG_CODE, (limited, limits) =>
    inTransaction(limited, async (em) => {
      await lockOwnUser(em, caller);
      const factor = await findOwnFactor(em, caller);
      if ((await acceptCode({ ...limited, em }, factor, code)) === null) return null;

      await clearFailures(em, limits);
      await removeSecondFactor(em, caller.id);
      await endSessions(em, caller.id, caller.credentialId);
      const changes = fieldChanges({ secondFactorEnabled: true }, { secondFactorEnabled: false });
      await recordOwnAct({ ...limited, em }, caller, { action: "auth.disableTotp", changes });
      await publishUserChanged(em, { userId: caller.id }, limited.clock.now());
      return {};
    }),
  );
  deps.bus.emit("sessions.ended", { userId: caller.id, exceptCredentialId: caller.credentialId });
  return disabled;
}

async function checkOwnPassword(deps: AuthDeps, caller: Caller, password: string): Promise<void> {
  await withinTimeLimit(PASSWORD_CALL_LIMIT_MS, (signal) =>
    verifyOwnPassword({ ...deps, signal }, caller.id, password),
  );
}

/**
 * Runs a change that needs a code of the caller, within the limits of wrong ones. It answers null for
 * a wrong code, which is refused with this sentence. A code is used up only together with what it
 * allows, in one transaction.
 */
async function withOwnCode<Result>(
  deps: AuthDeps,
  caller: Caller,
  refusal: string,
  change: (limited: LimitDeps, limits: readonly Limit[]) => Promise<Result | null>,
): Promise<Result> {
  const changed = await withinTimeLimit(PASSWORD_CALL_LIMIT_MS, (signal) => {
    const limited = { ...deps, signal };
    return limitOwnCode(limited, caller.id, (limits) => change(limited, limits));
  });
  if (changed === null) throw invalidField("code", refusal);
  return changed;
}

async function findOwnFactor(em: SqlEntityManager, { id }: Caller): Promise<SecondFactorRow> {
  const factor = await findSecondFactor(em, id);
  if (factor === null) throw new AppError("STATE_CONFLICT", "您还没有开启两步验证");
  return factor;
}

async function assertOff(em: SqlEntityManager, userId: string): Promise<void> {
  if ((await findSecondFactor(em, userId)) === null) return;
  throw new AppError("STATE_CONFLICT", "两步验证已经开启，更换验证器请先关闭它");
}
