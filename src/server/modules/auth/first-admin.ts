import { v7 as newId } from "uuid";
import { programActor } from "../../platform/actor.ts";
import { takeAdvisoryLock } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { StartError } from "../../platform/errors.ts";
import { randomPassword } from "../../platform/passwords.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { UserEntity } from "../users/entity.ts";
import { findByUsername } from "../users/queries.ts";
import type { AuthDeps } from "./deps.ts";

export interface FirstAdmin {
  readonly username: string;
  /** To be printed once; null when the password was given. */
  readonly generatedPassword: string | null;
}

interface Account {
  readonly username: string;
  /** Null for a random one. */
  readonly password: string | null;
}

interface FirstAdminDeps extends Pick<AuthDeps, "em" | "bus" | "passwords" | "clock" | "log"> {
  /**
   * Called before the commit: a password that opens nothing is better than an account that nobody
   * can open.
   */
  readonly onFirstAdmin?: ((made: FirstAdmin) => void) | undefined;
}

const SUPER_ADMIN = { role: "super_admin" } as const;

/**
 * Does nothing when there is a super admin, active or not. A random password is to be changed at
 * the first sign-in.
 */
export async function ensureFirstAdmin(
  deps: FirstAdminDeps,
  { username, password }: Account,
): Promise<FirstAdmin | null> {
  if ((await deps.em.count(UserEntity, SUPER_ADMIN)) > 0) return null;

  const isGenerated = password === null;
  const chosen = password ?? randomPassword();
  const passwordHash = await deps.passwords.hash(chosen);

  return await inTransaction(deps, async (em) => {
    // Several replicas may start at the same time.
    await takeAdvisoryLock(em, "firstAdmin");
    if ((await em.count(UserEntity, SUPER_ADMIN)) > 0) return null;

    if ((await findByUsername({ em }, username)) !== null) {
      throw new StartError(
        `ADMIN_USERNAME: ${username} is the name of another user; choose another one`,
      );
    }

    const account = { ...SUPER_ADMIN, username, name: "系统管理员" };
    const id = newId();
    const createdAt = deps.clock.now();
    await em.insert(UserEntity, {
      ...account,
      id,
      email: null,
      phone: null,
      isActive: true,
      admin: null,
      passwordHash,
      mustChangePassword: isGenerated,
      createdAt,
    });
    const record = {
      action: "users.create",
      subject: { type: "user", id, label: account.name },
      changes: fieldChanges(null, account),
    } as const;
    const actor = programActor("system", "start");
    await recordAudit({ ...deps, em, actor }, record, createdAt);

    const made = { username, generatedPassword: isGenerated ? chosen : null };
    deps.onFirstAdmin?.(made);
    return made;
  });
}
