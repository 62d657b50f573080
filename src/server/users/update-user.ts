import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Role } from "../../shared/roles.ts";
import type { UpdateUserInput, User } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../core/transaction.ts";
import { endSessions } from "./end-sessions.ts";
import type { UserTables } from "./entity.ts";
import { lockActiveAdmin, lockAnotherSuperAdmin } from "./locks.ts";
import { assertMayHaveAdmin, assertNotSelf, userNotFound } from "./rules.ts";
import { getUser } from "./service.ts";

/** Disabling ends the user's sessions and leaves an admin's clients without one. Throws CONFLICT for oneself and the last super admin. */
export async function updateUser(
  deps: Pick<Deps, "em" | "notices">,
  caller: Caller,
  input: UpdateUserInput,
): Promise<User> {
  const { role } = await getUser(deps, caller, input.id);
  assertMayHaveAdmin(role, input.adminId);
  const disables = input.isActive === false;
  if (disables) assertNotSelf(caller.id, input.id, "不能停用自己的账号");
  await inTransaction(deps, async (em) => {
    if (disables && role === "super_admin") await lockAnotherSuperAdmin(em, input.id, "不能停用最后一个超级管理员");
    if (typeof input.adminId === "string") await lockActiveAdmin(em, input.adminId);
    await writeUser(em, input);
    if (disables) await withdraw(em, input.id, role);
  });
  if (disables) deps.notices.emit("sessions.ended", { userId: input.id });
  return getUser(deps, caller, input.id);
}

/** The row is written even when nothing changes: that locks it, and tells whether it is still there. */
async function writeUser(em: SqlEntityManager, input: UpdateUserInput): Promise<void> {
  const written = await em
    .getKysely<UserTables>()
    .updateTable("users")
    .set({
      id: input.id,
      name: input.name,
      email: input.email,
      phone: input.phone,
      is_active: input.isActive,
      admin_id: input.adminId,
    })
    .where("id", "=", input.id)
    .returning("id")
    .executeTakeFirst();
  if (written === undefined) throw userNotFound();
}

async function withdraw(em: SqlEntityManager, userId: string, role: Role): Promise<void> {
  if (role === "admin") await em.execute("update users set admin_id = null where admin_id = ?", [userId]);
  await endSessions(em, { userId });
}
