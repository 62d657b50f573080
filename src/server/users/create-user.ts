import { type RequiredEntityData, UniqueConstraintViolationException } from "@mikro-orm/core";
import type { CreateUserInput, User } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import { newId } from "../core/ids.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { assertUncommon } from "./common-passwords.ts";
import { UserEntity, type UserRow } from "./entity.ts";
import { lockActiveAdmin } from "./locks.ts";
import { assertMayHaveAdmin, usernameTaken } from "./rules.ts";
import { getUser } from "./service.ts";

/** Throws INVALID_INPUT on `password` or `adminId`, CONFLICT when the name is taken in whatever case. */
export async function createUser(
  deps: Pick<Deps, "em" | "bus" | "passwords" | "clock" | "log">,
  caller: Caller,
  input: CreateUserInput,
): Promise<User> {
  const { username, password, name, role, email = null, phone = null, adminId = null } = input;
  await assertUncommon("password", password);
  assertMayHaveAdmin(role, adminId);
  const passwordHash = await deps.passwords.hash(password);
  const user = { id: newId(), username, name, role, email, phone, admin: adminId, passwordHash };
  await insertUser(deps, { ...user, createdAt: deps.clock.now(), isActive: true, mustChangePassword: false });
  deps.log.info({ caller: caller.id, id: user.id, role }, "user created");
  return getUser(deps, caller, user.id);
}

async function insertUser(
  deps: Pick<Deps, "em" | "bus">,
  user: RequiredEntityData<UserRow> & { readonly admin: string | null },
): Promise<void> {
  try {
    await inTransaction(deps, async (em) => {
      if (user.admin !== null) await lockActiveAdmin(em, user.admin);
      await em.insert(UserEntity, user);
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw usernameTaken();
    throw error;
  }
}
