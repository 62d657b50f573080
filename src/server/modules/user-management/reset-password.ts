import type { IdInput } from "../../../shared/ids.ts";
import type { ResetPasswordResult } from "../../../shared/users.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { randomPassword } from "../../platform/passwords.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { clearFailuresOfUser } from "../auth/login-limit.ts";
import { notifyOfResetPassword } from "../auth/notices.ts";
import { endSessions } from "../auth/sessions.ts";
import { publishUserChanged } from "../users/events.ts";
import { lockUser } from "../users/locks.ts";
import { getUser } from "../users/queries.ts";
import type { UserManagementDeps } from "./deps.ts";

/** Not for oneself: the caller's session would end before the new password is read. */
export async function resetPassword(
  deps: UserManagementDeps,
  caller: Caller,
  { id: userId }: IdInput,
): Promise<ResetPasswordResult> {
  const { name } = await getUser(deps, caller, { id: userId });
  noteSubject(deps, { type: "user", id: userId, label: name });
  if (userId === caller.id) {
    throw new AppError("CONFLICT", "不能重置自己的密码，请使用修改密码");
  }

  const newPassword = randomPassword();
  const passwordHash = await deps.passwords.hash(newPassword);
  await inTransaction(deps, async (em) => {
    const user = await lockUser(em, userId);
    user.passwordHash = passwordHash;
    user.mustChangePassword = true;
    await em.flush();

    await endSessions(em, userId);
    await clearFailuresOfUser(em, user.username);

    const at = deps.clock.now();
    const subject = { type: "user", id: userId, label: user.name } as const;
    await recordAudit({ ...deps, em }, { action: "users.resetPassword", subject }, at);
    await notifyOfResetPassword({ ...deps, em }, userId, at);
    // Others see of the password that it must be changed.
    await publishUserChanged(em, { userId }, at);
  });
  // Its tokens live on, and get nothing until the password is changed.
  deps.bus.emit("sessions.ended", { userId, withTokens: true });
  return { newPassword };
}
