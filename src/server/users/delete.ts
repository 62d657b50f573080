import type { Nothing } from "../../shared/ids.ts";
import { clearFailuresOfUser } from "../auth/login-limit.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { endAssignmentsOfUser } from "../hosts/assignments.ts";
import { cancelRenewalsOfUser } from "../renewals/cancel.ts";
import { UserEntity } from "./entity.ts";
import { lockOtherSuperAdmins, lockUser } from "./locks.ts";
import { getUser } from "./queries.ts";

type DeleteUserDeps = Pick<Deps, "em" | "bus" | "clock">;

/** Foreign keys end the user's sessions and leave an admin's clients without one; history keeps the names. */
export async function deleteUser(deps: DeleteUserDeps, caller: Caller, userId: string): Promise<Nothing> {
  const { role, username } = await getUser(deps, caller, userId);
  if (userId === caller.id) throw new AppError("CONFLICT", "不能删除自己的账号");
  const removed = { userId, at: deps.clock.now() };
  await inTransaction(deps, async (em) => {
    if (role === "super_admin") await lockOtherSuperAdmins(em, userId, "不能删除最后一个超级管理员");
    await lockUser(em, userId);
    await clearFailuresOfUser(em, username);
    await cancelRenewalsOfUser(em, removed);
    await endAssignmentsOfUser(em, removed);
    await em.nativeDelete(UserEntity, { id: userId });
  });
  deps.bus.emit("sessions.ended", { userId });
  return {};
}
