import type { ResetPasswordResult } from "../../shared/users.ts";
import { clearFailuresOfUser } from "../auth/login-limit.ts";
import { endSessions } from "../auth/sessions.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { UserEntity } from "./entity.ts";
import { lockUser } from "./locks.ts";
import { randomPassword } from "./passwords.ts";
import { getUser } from "./queries.ts";

type ResetDeps = Pick<Deps, "em" | "bus" | "passwords">;

/** Not for oneself: the caller's session would end before the new password is read. */
export async function resetPassword(deps: ResetDeps, caller: Caller, userId: string): Promise<ResetPasswordResult> {
  await getUser(deps, caller, userId);
  if (userId === caller.id) throw new AppError("CONFLICT", "不能重置自己的密码，请使用修改密码");
  const newPassword = randomPassword();
  const passwordHash = await deps.passwords.hash(newPassword);
  await inTransaction(deps, async (em) => {
    const { username } = await lockUser(em, userId);
    await em.nativeUpdate(UserEntity, { id: userId }, { passwordHash, mustChangePassword: true });
    await endSessions(em, userId);
    await clearFailuresOfUser(em, username);
  });
  deps.bus.emit("sessions.ended", { userId });
  return { newPassword };
}
