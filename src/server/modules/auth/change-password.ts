import type { ChangePasswordInput } from "../../../shared/auth.ts";
import type { Nothing } from "../../../shared/ids.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { assertUncommon } from "../../platform/passwords.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { UserEntity } from "../users/entity.ts";
import { publishUserChanged } from "../users/events.ts";
import type { AuthDeps } from "./deps.ts";
import { type LimitDeps, PASSWORD_CALL_LIMIT_MS } from "./login-limit.ts";
import { notifyOfChangedPassword } from "./notices.ts";
import { verifyOwnPassword } from "./own-password.ts";
import { recordOwnAct } from "./record-own-act.ts";
import { endSessions, lockOwnUser } from "./sessions.ts";
import { withinTimeLimit } from "./time-limit.ts";

/**
 * Sets the caller's password and ends its other sessions. Throws WRONG_PASSWORD; TOO_MANY_REQUESTS
 * after too many wrong ones; UNAVAILABLE when all its waits together take too long.
 */
export async function changePassword(
  deps: AuthDeps,
  caller: Caller,
  input: ChangePasswordInput,
): Promise<Nothing> {
  assertUncommon("newPassword", input.newPassword);

  return await withinTimeLimit(PASSWORD_CALL_LIMIT_MS, (signal) =>
    replacePassword({ ...deps, signal }, caller, input),
  );
}

async function replacePassword(
  deps: LimitDeps,
  caller: Caller,
  { currentPassword, newPassword }: ChangePasswordInput,
): Promise<Nothing> {
  const { id } = caller;
  const { ip } = deps.actor;
  const oldHash = await verifyOwnPassword(deps, id, currentPassword);
  const passwordHash = await deps.passwords.hash(newPassword, ip);
  await inTransaction(deps, async (em) => {
    await lockOwnUser(em, caller);
    const changed = { passwordHash, mustChangePassword: false };
    const written = await em.nativeUpdate(UserEntity, { id, passwordHash: oldHash }, changed);
    if (written === 0) throw new AppError("STATE_CONFLICT", "密码刚刚已被修改，请重新登录后再试");

    await endSessions(em, id, caller.credentialId);
    const at = deps.clock.now();
    await recordOwnAct({ ...deps, em }, caller, { action: "auth.changePassword" });
    await notifyOfChangedPassword({ ...deps, em }, id, at);
    // Others see of the password that it must be changed.
    if (caller.mustChangePassword) await publishUserChanged(em, { userId: id }, at);
    // Nobody would learn that it was changed.
    deps.signal.throwIfAborted();
  });
  deps.bus.emit("sessions.ended", { userId: id, exceptCredentialId: caller.credentialId });
  return {};
}
