import { isDeepStrictEqual } from "node:util";
import { UniqueConstraintViolationException } from "@mikro-orm/core";
import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import type { Nothing } from "../../../shared/ids.ts";
import type { Role } from "../../../shared/roles.ts";
import type {
  CreateUserInput,
  ResetPasswordResult,
  UpdateUserInput,
  User,
} from "../../../shared/users.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import { assertUncommon, randomPassword } from "../../platform/passwords.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { clearFailuresOfUser } from "../auth/login-limit.ts";
import { endSessions } from "../auth/sessions.ts";
import { endAssignmentsOfUser } from "../hosts/assignments.ts";
import { AssignmentEntity } from "../hosts/entity.ts";
import { publishHostEvents } from "../hosts/events.ts";
import { UserEntity, type UserRow } from "./entity.ts";
import { publishUserChanged } from "./events.ts";
import { getUser, userNotFound } from "./queries.ts";

type ChangeDeps = Pick<Deps, "em" | "bus" | "clock">;
type PasswordDeps = Pick<Deps, "em" | "bus" | "clock" | "passwords">;

// One order of locks everywhere: super admins by id, the responsible admin, the user, what the user owns.

/** Throws INVALID_INPUT on `password` or `adminId`, CONFLICT when the name is taken in any case. */
export async function createUser(
  deps: ChangeDeps & PasswordDeps,
  caller: Caller,
  input: CreateUserInput,
): Promise<User> {
  const { username, password, name, role, email = null, phone = null, adminId = null } = input;
  assertUncommon("password", password);
  const account = { isActive: true, mustChangePassword: false, createdAt: deps.clock.now() };
  const user = { id: newId(), username, name, role, email, phone, admin: adminId, ...account };
  const passwordHash = await deps.passwords.hash(password);
  await inTransaction(deps, async (em) => {
    if (adminId !== null) await lockResponsibleAdmin(em, adminId, role);
    await em.insert(UserEntity, { ...user, passwordHash });
    await publishUserChanged(em, { userId: user.id }, user.createdAt);
  }).catch((error: unknown) => {
    if (error instanceof UniqueConstraintViolationException)
      throw new AppError("CONFLICT", "用户名已存在");
    throw error;
  });
  return getUser(deps, caller, user.id);
}

/** Disabling ends the user's sessions and leaves an admin's clients without one. */
export async function updateUser(
  deps: ChangeDeps,
  caller: Caller,
  input: UpdateUserInput,
): Promise<User> {
  const { id, adminId, ...changes } = input;
  const disables = input.isActive === false;
  const { role } = await getUser(deps, caller, id);
  await inTransaction(deps, async (em) => {
    if (typeof adminId === "string") await lockResponsibleAdmin(em, adminId, role);
    if (disables && id === caller.id) throw new AppError("CONFLICT", "不能停用自己的账号");
    if (disables && role === "super_admin")
      await lockOtherSuperAdmins(em, id, "不能停用最后一个超级管理员");
    const before = await lockUser(em, id);
    const formerAdminId = before.admin?.id ?? null;
    const isMoved = adminId !== undefined && adminId !== formerAdminId;
    // With the id, so that there is something to set when no field is given.
    const row = { id, ...changes, admin: adminId };
    await kyselyOf(em).updateTable("users").set(row).where("id", "=", id).execute();
    if (disables) {
      await endSessions(em, id);
      await em.nativeUpdate(UserEntity, { admin: id }, { admin: null });
    }
    if (isMoved) {
      const assignments = await em.find(
        AssignmentEntity,
        { userId: id, endedAt: null },
        { fields: ["host"] },
      );
      const hostIds = assignments.map(({ host }) => host.id);
      await publishHostEvents(
        em,
        { configId: null, hostIds, userId: id, formerAdminId },
        deps.clock.now(),
      );
    }
    if (isMoved || hasDifference(before, changes)) {
      const left = isMoved ? { formerAdminId } : {};
      await publishUserChanged(em, { userId: id, ...left }, deps.clock.now());
    }
  });
  if (disables) deps.bus.emit("sessions.ended", { userId: id });
  return getUser(deps, caller, id);
}

/** Foreign keys end the user's sessions and leave an admin's clients without one; history keeps the names. */
export async function deleteUser(
  deps: ChangeDeps,
  caller: Caller,
  userId: string,
): Promise<Nothing> {
  const { role, username } = await getUser(deps, caller, userId);
  if (userId === caller.id) throw new AppError("CONFLICT", "不能删除自己的账号");
  await inTransaction(deps, async (em) => {
    if (role === "super_admin")
      await lockOtherSuperAdmins(em, userId, "不能删除最后一个超级管理员");
    const formerAdminId = (await lockUser(em, userId)).admin?.id ?? null;
    await clearFailuresOfUser(em, username);
    await endAssignmentsOfUser(em, userId, deps.clock.now());
    await em.nativeDelete(UserEntity, { id: userId });
    await publishUserChanged(em, { userId, formerAdminId }, deps.clock.now());
  });
  deps.bus.emit("sessions.ended", { userId });
  return {};
}

/** Not for oneself: the caller's session would end before the new password is read. */
export async function resetPassword(
  deps: PasswordDeps,
  caller: Caller,
  userId: string,
): Promise<ResetPasswordResult> {
  await getUser(deps, caller, userId);
  if (userId === caller.id) throw new AppError("CONFLICT", "不能重置自己的密码，请使用修改密码");
  const newPassword = randomPassword();
  const passwordHash = await deps.passwords.hash(newPassword);
  await inTransaction(deps, async (em) => {
    const { username } = await lockUser(em, userId);
    await em.nativeUpdate(UserEntity, { id: userId }, { passwordHash, mustChangePassword: true });
    await endSessions(em, userId);
    await clearFailuresOfUser(em, username);
    // Others see of the password that it must be changed.
    await publishUserChanged(em, { userId }, deps.clock.now());
  });
  deps.bus.emit("sessions.ended", { userId });
  return { newPassword };
}

/** Whether one of the given fields is not as it is stored. */
function hasDifference(stored: UserRow, changes: Omit<UpdateUserInput, "id" | "adminId">): boolean {
  const present = {
    name: stored.name,
    email: stored.email ?? null,
    phone: stored.phone ?? null,
    isActive: stored.isActive,
  };
  const {
    name = present.name,
    email = present.email,
    phone = present.phone,
    isActive = present.isActive,
  } = changes;
  return !isDeepStrictEqual({ name, email, phone, isActive }, present);
}

/** Throws CONFLICT with this message when no other super admin is active. Two who remove each other wait here. */
async function lockOtherSuperAdmins(
  em: SqlEntityManager,
  userId: string,
  message: string,
): Promise<void> {
  const lock = {
    orderBy: { id: "asc" },
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  } as const;
  const superAdmins = await em.find(UserEntity, { role: "super_admin" }, lock);
  if (!superAdmins.some(({ id, isActive }) => isActive && id !== userId))
    throw new AppError("CONFLICT", message);
}

/** Keeps the admin active until a client of this role has been put under it. Throws INVALID_INPUT on `adminId`. */
async function lockResponsibleAdmin(
  em: SqlEntityManager,
  adminId: string,
  role: Role,
): Promise<void> {
  if (role !== "client") throw invalidField("adminId", "只有C端用户可以设置负责管理员");
  const where = { id: adminId, role: "admin", isActive: true } as const;
  const failHandler = () => invalidField("adminId", "负责管理员不存在或已停用，请重新选择");
  await em.findOneOrFail(UserEntity, where, { lockMode: LockMode.PESSIMISTIC_READ, failHandler });
}

/** Until the commit the user cannot sign in, be changed or get a host. */
async function lockUser(em: SqlEntityManager, id: string): Promise<UserRow> {
  const lock = {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
    failHandler: userNotFound,
  } as const;
  return await em.findOneOrFail(UserEntity, { id }, lock);
}
