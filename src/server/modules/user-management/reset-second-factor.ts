import type { IdInput, Nothing } from "../../../shared/ids.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { clearSecondFactor } from "../auth/clear-second-factor.ts";
import { lockUser } from "../users/locks.ts";
import { getUser } from "../users/queries.ts";
import type { UserManagementDeps } from "./deps.ts";

/** Not for oneself: switching it off takes password and code. */
export async function resetSecondFactor(
  deps: UserManagementDeps,
  caller: Caller,
  { id: userId }: IdInput,
): Promise<Nothing> {
  const { name } = await getUser(deps, caller, { id: userId });
  noteSubject(deps, { type: "user", id: userId, label: name });
  if (userId === caller.id) {
    throw new AppError("CONFLICT", "不能重置自己的两步验证，请在个人设置中关闭");
  }

  await inTransaction(deps, async (em) => {
    const user = await lockUser(em, userId);
    const action = "users.resetSecondFactor";
    await clearSecondFactor({ ...deps, em }, user, { action, at: deps.clock.now() });
  });
  deps.bus.emit("sessions.ended", { userId });
  return {};
}
