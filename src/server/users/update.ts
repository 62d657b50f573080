import type { UpdateUserInput, User } from "../../shared/users.ts";
import { endSessions } from "../auth/sessions.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { kyselyOf } from "../database/kysely.ts";
import { inTransaction } from "../database/transaction.ts";
import { AssignmentEntity } from "../hosts/entity.ts";
import { publishHostEvents } from "../hosts/events.ts";
import { UserEntity } from "./entity.ts";
import { lockOtherSuperAdmins, lockResponsibleAdmin, lockUser } from "./locks.ts";
import { getUser } from "./queries.ts";

type UpdateDeps = Pick<Deps, "em" | "bus" | "clock">;

/** Disabling ends the user's sessions and leaves an admin's clients without one. */
export async function updateUser(deps: UpdateDeps, caller: Caller, input: UpdateUserInput): Promise<User> {
  const { id, adminId, ...changes } = input;
  const disables = input.isActive === false;
  const { role } = await getUser(deps, caller, id);
  await inTransaction(deps, async (em) => {
    if (typeof adminId === "string") await lockResponsibleAdmin(em, adminId, role);
    if (disables && id === caller.id) throw new AppError("CONFLICT", "不能停用自己的账号");
    if (disables && role === "super_admin") await lockOtherSuperAdmins(em, id, "不能停用最后一个超级管理员");
    const formerAdminId = (await lockUser(em, id)).admin?.id ?? null;
    // With the id, so that there is something to set when no field is given.
    const row = { id, ...changes, admin: adminId };
    await kyselyOf(em).updateTable("users").set(row).where("id", "=", id).execute();
    if (disables) {
      await endSessions(em, id);
      await em.nativeUpdate(UserEntity, { admin: id }, { admin: null });
    }
    if (adminId === undefined || adminId === formerAdminId) return;
    const assignments = await em.find(AssignmentEntity, { userId: id, endedAt: null }, { fields: ["host"] });
    const hostIds = assignments.map(({ host }) => host.id);
    await publishHostEvents(em, { configId: null, hostIds, userId: id, formerAdminId }, deps.clock.now());
  });
  if (disables) deps.bus.emit("sessions.ended", { userId: id });
  return getUser(deps, caller, id);
}
