import { v7 as newId } from "uuid";
import { takeAdvisoryLock } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { StartError } from "../../platform/errors.ts";
import { randomPassword } from "../../platform/passwords.ts";
import { UserEntity } from "../users/entity.ts";
import { findByUsername } from "../users/queries.ts";

export interface FirstAdmin {
  readonly username: string;
  /** To be printed once; null when the password was given. */
  readonly generatedPassword: string | null;
}

type Account = { readonly username: string; readonly password: string | null };
type FirstAdminDeps = Pick<Deps, "em" | "bus" | "passwords" | "clock" | "log"> & {
  /** Called before the commit: a password that opens nothing is better than an account that nobody can open. */
  readonly onFirstAdmin?: ((made: FirstAdmin) => void) | undefined;
};

/** Does nothing when there is a super admin, active or not. A null password becomes a random one to be changed at the first sign-in. */
export async function ensureFirstAdmin(
  deps: FirstAdminDeps,
  { username, password }: Account,
): Promise<FirstAdmin | null> {
  const superAdmin = { role: "super_admin" } as const;
  if ((await deps.em.count(UserEntity, superAdmin)) > 0) return null;
  const mustChangePassword = password === null;
  const chosen = password ?? randomPassword();
  const passwordHash = await deps.passwords.hash(chosen);
  return await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "firstAdmin");
    if ((await em.count(UserEntity, superAdmin)) > 0) return null;
    if ((await findByUsername({ em }, username)) !== null) {
      throw new StartError(
        `ADMIN_USERNAME: ${username} is the name of another user; choose another one`,
      );
    }
    const names = { username, name: "系统管理员", email: null, phone: null };
    const rights = { ...superAdmin, isActive: true, admin: null, passwordHash, mustChangePassword };
    await em.insert(UserEntity, { id: newId(), ...names, ...rights, createdAt: deps.clock.now() });
    const made = { username, generatedPassword: mustChangePassword ? chosen : null };
    deps.onFirstAdmin?.(made);
    deps.log.info({ username }, "first super admin made");
    return made;
  });
}
