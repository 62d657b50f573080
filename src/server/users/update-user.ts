import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Role } from "../../shared/roles.ts";
import type { UpdateUserInput, User } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { appendEvent } from "../events/append.ts";
import type { HostTables } from "../hosts/entity.ts";
import { endSessions } from "./end-sessions.ts";
import type { UserTables } from "./entity.ts";
import { lockActiveAdmin, lockAnotherSuperAdmin } from "./locks.ts";
import { assertMayHaveAdmin, assertNotSelf, userNotFound } from "./rules.ts";
import { getUser } from "./service.ts";

/** Disabling ends the user's sessions and leaves an admin's clients without one. Throws CONFLICT for oneself and the last super admin. */
export async function updateUser(
  deps: Pick<Deps, "em" | "bus" | "clock">,
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
    const formerAdminId = await lockUser(em, input.id);
    await writeUser(em, input);
    if (disables) await withdraw(em, input.id, role);
    if (input.adminId === undefined || input.adminId === formerAdminId) return;
    await tellOfMove(em, { userId: input.id, formerAdminId, at: deps.clock.now() });
  });
  if (disables) deps.bus.emit("sessions.ended", { userId: input.id });
  return getUser(deps, caller, input.id);
}

/** @returns the responsible admin until now; nobody changes it, or hands the user a host, until the commit */
async function lockUser(em: SqlEntityManager, userId: string): Promise<string | null> {
  const user = await em
    .getKysely<UserTables>()
    .selectFrom("users")
    .select("admin_id")
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (user === undefined) throw userNotFound();
  return user.admin_id;
}

async function writeUser(em: SqlEntityManager, input: UpdateUserInput): Promise<void> {
  await em
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
    .execute();
}

interface Move {
  readonly userId: string;
  readonly formerAdminId: string | null;
  /** Unix seconds. */
  readonly at: number;
}

/** The client keeps its hosts, so no assignment has changed: two admins have rows more or less. */
async function tellOfMove(em: SqlEntityManager, { userId, formerAdminId, at }: Move): Promise<void> {
  const hostIds = await hostsOf(em, userId);
  if (hostIds.length === 0) return;
  await appendEvent(em, { type: "hosts.changed", data: { configId: null, hostIds, userId, formerAdminId } }, at);
}

async function hostsOf(em: SqlEntityManager, userId: string): Promise<string[]> {
  const assigned = await em
    .getKysely<HostTables>()
    .selectFrom("assignments")
    .select("host_id")
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute();
  return assigned.map(({ host_id }) => host_id);
}

async function withdraw(em: SqlEntityManager, userId: string, role: Role): Promise<void> {
  if (role === "admin") await em.execute("update users set admin_id = null where admin_id = ?", [userId]);
  await endSessions(em, { userId });
}
