import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import type { Role } from "../../../shared/roles.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import { UserEntity, type UserRow } from "./entity.ts";
import { userNotFound } from "./queries.ts";

// The order of locks is the same everywhere, or two changes would wait for each other:
//
// - of a super admin: all super admins by id, then what the user owns;
// - of others: the responsible admin, the user, an admin's clients by id, what the user owns.

/**
 * Throws CONFLICT with this message when no other super admin is active. Two who remove each other
 * wait here.
 */
export async function lockOtherSuperAdmins(
  em: SqlEntityManager,
  userId: string,
  message: string,
): Promise<void> {
  const superAdmins = await em.find(
    UserEntity,
    { role: "super_admin" },
    { orderBy: { id: "asc" }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  const isAnotherActive = superAdmins.some(({ id, isActive }) => isActive && id !== userId);
  if (!isAnotherActive) throw new AppError("CONFLICT", message);
}

export const ADMIN_ONLY_OF_CLIENTS = "只有C端用户可以设置负责管理员";
const NO_SUCH_ADMIN = "负责管理员不存在或已停用，请重新选择";
const NO_SUCH_CLIENT = "请选择一个启用中的C端用户";

/**
 * Keeps the admin active until a client of this role has been put under it, and returns it. Throws
 * INVALID_INPUT on `adminId`.
 */
export async function lockResponsibleAdmin(
  em: SqlEntityManager,
  adminId: string,
  role: Role,
): Promise<UserRow> {
  if (role !== "client") throw invalidField("adminId", ADMIN_ONLY_OF_CLIENTS);

  return await em.findOneOrFail(
    UserEntity,
    { id: adminId, role: "admin", isActive: true },
    {
      lockMode: LockMode.PESSIMISTIC_READ,
      failHandler: () => invalidField("adminId", NO_SUCH_ADMIN),
    },
  );
}

/** Before an admin loses its clients. The statement that takes them away would lock them anyhow. */
export async function lockClientsOf(em: SqlEntityManager, adminId: string): Promise<void> {
  await em.find(
    UserEntity,
    { admin: adminId },
    { fields: ["id"], orderBy: { id: "asc" }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

/**
 * Until the commit none of them can be disabled or deleted, nor get another host. By id; those who
 * do not exist are missing.
 */
export async function lockUsers(
  em: SqlEntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UserRow>> {
  const users = await em.find(
    UserEntity,
    { id: [...new Set(ids)] },
    { orderBy: { id: "asc" }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  return new Map(users.map((user) => [user.id, user]));
}

/**
 * One of `lockUsers`. With it `others` are locked, such as the user who has the host. Throws
 * INVALID_INPUT on `userId`.
 */
export async function lockActiveClient(
  em: SqlEntityManager,
  id: string,
  others: readonly string[] = [],
): Promise<UserRow> {
  const users = await lockUsers(em, [id, ...others]);
  return requireActiveClient(users.get(id));
}

/** Of a user that is locked. Throws INVALID_INPUT on `userId`. */
export function requireActiveClient(client: UserRow | undefined): UserRow {
  if (client?.role !== "client" || !client.isActive) {
    throw invalidField("userId", NO_SUCH_CLIENT);
  }
  return client;
}

/** Null when the user was deleted or disabled, or has another password by now. */
export async function lockActiveUser(
  em: SqlEntityManager,
  { id, passwordHash }: { readonly id: string; readonly passwordHash?: string },
): Promise<UserRow | null> {
  const withPassword = passwordHash === undefined ? {} : { passwordHash };
  return await em.findOne(
    UserEntity,
    { id, isActive: true, ...withPassword },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
}

/** Until the commit the user cannot sign in, be changed or get a host. */
export async function lockUser(em: SqlEntityManager, id: string): Promise<UserRow> {
  return await em.findOneOrFail(
    UserEntity,
    { id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, failHandler: userNotFound },
  );
}
