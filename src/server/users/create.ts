import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { CreateUserInput, User } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { UserEntity } from "./entity.ts";
import { lockResponsibleAdmin } from "./locks.ts";
import { assertUncommon } from "./passwords.ts";
import { getUser } from "./queries.ts";

type CreateDeps = Pick<Deps, "em" | "bus" | "passwords" | "clock" | "log">;

/** Throws INVALID_INPUT on `password` or `adminId`, CONFLICT when the name is taken in any case. */
export async function createUser(deps: CreateDeps, caller: Caller, input: CreateUserInput): Promise<User> {
  const { username, password, name, role, email = null, phone = null, adminId = null } = input;
  assertUncommon("password", password);
  const account = { isActive: true, mustChangePassword: false, createdAt: deps.clock.now() };
  const user = { id: newId(), username, name, role, email, phone, admin: adminId, ...account };
  const passwordHash = await deps.passwords.hash(password);
  await inTransaction(deps, async (em) => {
    if (adminId !== null) await lockResponsibleAdmin(em, adminId, role);
    await em.insert(UserEntity, { ...user, passwordHash });
  }).catch((error: unknown) => {
    if (error instanceof UniqueConstraintViolationException) throw new AppError("CONFLICT", "用户名已存在");
    throw error;
  });
  return getUser(deps, caller, user.id);
}
