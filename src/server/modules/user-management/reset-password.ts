import type { ResetPasswordResult } from "../../../shared/users.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { randomPassword } from "../../platform/passwords.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { clearFailuresOfUser } from "../auth/login-limit.ts";
import { endSessions } from "../auth/sessions.ts";
import { UserEntity } from "../users/entity.ts";
import { publishUserChanged } from "../users/events.ts";
import { lockUser } from "../users/locks.ts";
import { getUser } from "../users/queries.ts";
import type { UserManagementDeps } from "./deps.ts";

/** Not for oneself: the caller's session would end before the new password is read. */
export async function resetPassword(
  deps: UserManagementDeps,
  caller: Caller,
  userId: string,
): Promise<ResetPasswordResult> {
  await getUser(deps, caller, userId);
  if (userId === caller.id) {
    throw new AppError("CONFLICT", "不能重置自己的密码，请使用修改密码");
  }

  const newPassword = randomPassword();
  const passwordHash = await deps.passwords.hash(newPassword);
  await inTransaction(deps, async (em) => {
    const { username } = await lockUser(em, userId);
    await em.nativeUpdate(UserEntity, { id: userId }, { passwordHash, mustChangePassword: true });
    await endSessions(em, userId);
    await clearFailuresOfUser(em, username);
    // Others see of the password that it must be changed.
    await publishUserChanged(em, { userId }, deps.clock.now());
  });
  deps.bus.emit("sessions.ended", { userId });
  return { newPassword };
}
