import { UniqueConstraintViolationException } from "@mikro-orm/core";
import { v7 as newId } from "uuid";
import type { CreateUserInput, User } from "../../../shared/users.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { assertUncommon } from "../../platform/passwords.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { UserEntity } from "../users/entity.ts";
import { publishUserChanged } from "../users/events.ts";
import { lockResponsibleAdmin } from "../users/locks.ts";
import { getUser } from "../users/queries.ts";
import type { UserManagementDeps } from "./deps.ts";

interface CreateUser extends CreateUserInput {
  /** Of a password that nobody has chosen. */
  readonly mustChangePassword?: boolean;
}

/** Throws INVALID_INPUT on `password` or `adminId`, CONFLICT when the name is taken in any case. */
export async function createUser(
  deps: UserManagementDeps,
  caller: Caller,
  input: CreateUser,
): Promise<User> {
  const { username, password, name, role, email = null, phone = null, adminId = null } = input;
  const { mustChangePassword = false } = input;
  assertUncommon("password", password);
  const passwordHash = await deps.passwords.hash(password);

  const id = newId();
  const createdAt = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const admin = adminId === null ? null : await lockResponsibleAdmin(em, adminId, role);
    await em.insert(UserEntity, {
      id,
      username,
      passwordHash,
      name,
      role,
      email,
      phone,
      admin: adminId,
      isActive: true,
      mustChangePassword,
      createdAt,
    });

    const stored = { username, name, role, email, phone, isActive: true };
    const record = {
      action: "users.create",
      subject: { type: "user", id, label: name },
      changes: fieldChanges(null, { ...stored, admin: admin?.name }),
    } as const;
    await recordAudit({ ...deps, em }, record, createdAt);
    await publishUserChanged(em, { userId: id }, createdAt);
    return await getUser({ ...deps, em }, caller, { id });
  }).catch((error: unknown) => {
    const isTaken = error instanceof UniqueConstraintViolationException;
    throw isTaken ? new AppError("CONFLICT", "用户名已存在") : error;
  });
}
