import type { ChangePasswordInput } from "../../shared/auth.ts";
import type { Nothing } from "../../shared/ids.ts";
import type { Deps } from "../core/deps.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { assertUncommon } from "../users/common-passwords.ts";
import { endSessions } from "../users/end-sessions.ts";
import type { UserTables } from "../users/entity.ts";
import { assertMayTry, countFailure, forgetFailures } from "./login-limit.ts";
import { assertNotEnded } from "./sessions.ts";

type ChangePasswordDeps = Pick<Deps, "em" | "bus" | "passwords" | "clock">;

/**
 * Sets the caller's own password and ends its other sessions. Throws WRONG_PASSWORD, and TOO_MANY_REQUESTS after as many
 * wrong ones as at sign-in: a stolen session must not be a place for guessing.
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  caller: Caller,
  { currentPassword, newPassword }: ChangePasswordInput,
): Promise<Nothing> {
  if (newPassword === currentPassword) throw invalidField("newPassword", "新密码不能与当前密码相同");
  await assertUncommon("newPassword", newPassword);
  const oldHash = await verifiedHash(deps, caller.id, currentPassword);
  const newHash = await deps.passwords.hash(newPassword);
  const { id: userId, sessionId } = caller;
  await inTransaction(deps, async (em) => {
    const written = await em
      .getKysely<UserTables>()
      .updateTable("users")
      .set({ password_hash: newHash, must_change_password: false })
      .where("id", "=", userId)
      .where("password_hash", "=", oldHash)
      .returning("id")
      .executeTakeFirst();
    // Hashing took its time: a session that was ended meanwhile, by another's change too, must not end those that are left.
    await assertNotEnded(em, caller);
    if (written === undefined) throw new AppError("STATE_CONFLICT", "密码刚刚已被修改，请重新登录后再试");
    await endSessions(em, { userId, exceptSessionId: sessionId });
  });
  deps.bus.emit("sessions.ended", { userId, exceptSessionId: sessionId });
  return {};
}

/** The stored hash that `password` was verified against; the change is written only while it is still that one. */
async function verifiedHash(deps: ChangePasswordDeps, userId: string, password: string): Promise<string> {
  const key = `change:${userId}`;
  const failures = await assertMayTry(deps, key);
  const user = await deps.em
    .getKysely<UserTables>()
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirst();
  if (user === undefined) throw new AppError("UNAUTHENTICATED");
  if (!(await deps.passwords.verify(user.password_hash, password))) {
    await countFailure(deps, key);
    throw new AppError("WRONG_PASSWORD");
  }
  await assertMayTry(deps, key);
  if (failures > 0) await forgetFailures(deps, key);
  return user.password_hash;
}
