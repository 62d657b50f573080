import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Deps } from "../core/deps.ts";
import { newId } from "../core/ids.ts";
import { StartError } from "../core/start-error.ts";
import { ADVISORY_LOCKS } from "../database/advisory-locks.ts";
import { inTransaction } from "../database/transaction.ts";
import { UserEntity, type UserTables } from "../users/entity.ts";
import { findAccount } from "../users/find-account.ts";
import { randomPassword } from "../users/random-password.ts";

export interface FirstAdmin {
  readonly username: string;
  /** To be printed once; null when the password was given. */
  readonly generatedPassword: string | null;
}

export type FirstAdminDeps = Pick<Deps, "em" | "bus" | "passwords" | "clock" | "log"> & {
  /** Told before the account is committed: a password that opens nothing is better than an account that nobody can open. */
  readonly onFirstAdmin?: ((made: FirstAdmin) => void) | undefined;
};

/**
 * Makes the first super admin when there is none at all, not even a disabled one; null when there is. `password` null = a random
 * one that must be changed at the first sign-in. Name and password follow the rules already (config.ts). Throws StartError.
 */
export async function ensureFirstAdmin(
  deps: FirstAdminDeps,
  { username, password }: { readonly username: string; readonly password: string | null },
): Promise<FirstAdmin | null> {
  if (await hasSuperAdmin(deps.em)) return null;
  const chosen = password ?? randomPassword();
  const passwordHash = await deps.passwords.hash(chosen);
  const admin = { username, generatedPassword: password === null ? chosen : null };
  const made = await inTransaction(deps, async (em) => {
    await em.execute("select pg_advisory_xact_lock(?)", [ADVISORY_LOCKS.firstAdmin]);
    if (await hasSuperAdmin(em)) return false;
    if ((await findAccount(em, username)) !== null) {
      throw new StartError(`ADMIN_USERNAME: ${username} is the name of another user; choose another one`);
    }
    await em.insert(UserEntity, {
      id: newId(),
      username,
      passwordHash,
      name: "系统管理员",
      role: "super_admin",
      email: null,
      phone: null,
      isActive: true,
      admin: null,
      mustChangePassword: password === null,
      createdAt: deps.clock.now(),
    });
    deps.onFirstAdmin?.(admin);
    return true;
  });
  if (!made) return null;
  deps.log.info({ username }, "first super admin made");
  return admin;
}

async function hasSuperAdmin(em: SqlEntityManager): Promise<boolean> {
  const db = em.getKysely<UserTables>();
  const found = await db.selectFrom("users").select("id").where("role", "=", "super_admin").limit(1).execute();
  return found.length > 0;
}
