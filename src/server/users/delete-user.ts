import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Nothing } from "../../shared/ids.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { forgetSignInFailures } from "./end-sessions.ts";
import type { UserTables } from "./entity.ts";
import { lockAnotherSuperAdmin } from "./locks.ts";
import { assertNotSelf, userNotFound } from "./rules.ts";
import { getUser } from "./service.ts";

/**
 * Removes the user with everything that must not outlive it: sessions, assignments, pending renewals, the tie of an admin's
 * clients, failed sign-ins. History keeps its names. Throws CONFLICT for oneself and the last super admin.
 */
export async function deleteUser(
  deps: Pick<Deps, "em" | "bus" | "clock" | "onUserRemoved">,
  caller: Caller,
  userId: string,
): Promise<Nothing> {
  const { role, username } = await getUser(deps, caller, userId);
  assertNotSelf(caller.id, userId, "不能删除自己的账号");
  const at = deps.clock.now();
  await inTransaction(deps, async (em) => {
    if (role === "super_admin") await lockAnotherSuperAdmin(em, userId, "不能删除最后一个超级管理员");
    await lockUser(em, userId);
    await forgetSignInFailures(em, username);
    for (const step of deps.onUserRemoved) await step(em, { userId, at });
    // Foreign keys end the sessions and untie the clients.
    await em.execute("delete from users where id = ?", [userId]);
  });
  deps.bus.emit("sessions.ended", { userId });
  return {};
}

/** From here on nobody assigns, requests or signs in for this user; of two who delete it the second finds nothing. */
async function lockUser(em: SqlEntityManager, userId: string): Promise<void> {
  const db = em.getKysely<UserTables>();
  const user = await db.selectFrom("users").select("id").where("id", "=", userId).forUpdate().executeTakeFirst();
  if (user === undefined) throw userNotFound();
}
