import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import type { Role } from "../../shared/roles.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { UserEntity, type UserRow } from "./entity.ts";
import { userNotFound } from "./queries.ts";

// One order of locks everywhere: super admins by id, the responsible admin, the user, what the user owns.

/** Throws CONFLICT with this message when no other super admin is active. Two who remove each other wait here. */
export async function lockOtherSuperAdmins(em: SqlEntityManager, userId: string, message: string): Promise<void> {
  const lock = { orderBy: { id: "asc" }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const superAdmins = await em.find(UserEntity, { role: "super_admin" }, lock);
  if (!superAdmins.some(({ id, isActive }) => isActive && id !== userId)) throw new AppError("CONFLICT", message);
}

/** Keeps the admin active until a client of this role has been put under it. Throws INVALID_INPUT on `adminId`. */
export async function lockResponsibleAdmin(em: SqlEntityManager, adminId: string, role: Role): Promise<void> {
  if (role !== "client") throw invalidField("adminId", "只有C端用户可以设置负责管理员");
  const where = { id: adminId, role: "admin", isActive: true } as const;
  const failHandler = () => invalidField("adminId", "负责管理员不存在或已停用，请重新选择");
  await em.findOneOrFail(UserEntity, where, { lockMode: LockMode.PESSIMISTIC_READ, failHandler });
}

/** Until the commit the user cannot sign in, be changed or get a host. */
export async function lockUser(em: SqlEntityManager, id: string): Promise<UserRow> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, failHandler: userNotFound } as const;
  return await em.findOneOrFail(UserEntity, { id }, lock);
}
