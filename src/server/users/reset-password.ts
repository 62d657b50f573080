import type { ResetPasswordResult } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { endSessions, forgetSignInFailures } from "./end-sessions.ts";
import type { UserTables } from "./entity.ts";
import { randomPassword } from "./random-password.ts";
import { assertNotSelf, userNotFound } from "./rules.ts";
import { getUser } from "./service.ts";

/**
 * Sets a random password that must be changed at the next sign-in, and ends all sessions of the user. One's own is refused
 * with CONFLICT: the answer would arrive in a console that has just been signed out, and the new password might never be read.
 */
export async function resetPassword(
  deps: Pick<Deps, "em" | "bus" | "passwords">,
  caller: Caller,
  userId: string,
): Promise<ResetPasswordResult> {
  const { username } = await getUser(deps, caller, userId);
  assertNotSelf(caller.id, userId, "不能重置自己的密码，请使用修改密码");
  const newPassword = randomPassword();
  const passwordHash = await deps.passwords.hash(newPassword);
  await inTransaction(deps, async (em) => {
    const written = await em
      .getKysely<UserTables>()
      .updateTable("users")
      .set({ password_hash: passwordHash, must_change_password: true })
      .where("id", "=", userId)
      .returning("id")
      .executeTakeFirst();
    if (written === undefined) throw userNotFound();
    await endSessions(em, { userId });
    await forgetSignInFailures(em, username);
  });
  deps.bus.emit("sessions.ended", { userId });
  return { newPassword };
}
