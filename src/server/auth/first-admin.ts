import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import { StartError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { kyselyOf } from "../database/kysely.ts";
import { ADVISORY_LOCKS } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";
import { UserEntity } from "../users/entity.ts";
import { randomPassword } from "../users/passwords.ts";
import { findByUsername } from "../users/queries.ts";

export interface FirstAdmin {
  readonly username: string;
  /** To be printed once; null when the password was given. */
  readonly generatedPassword: string | null;
}

export type FirstAdminDeps = Pick<Deps, "em" | "bus" | "passwords" | "clock" | "log"> & {
  /** Called before the commit: a password that opens nothing is better than an account that nobody can open. */
  readonly onFirstAdmin?: ((made: FirstAdmin) => void) | undefined;
};

/**
 * Makes the first super admin unless there is one, active or not. A null password becomes a random one that must be changed at the
 * first sign-in. Throws StartError when the name is taken.
 */
export async function ensureFirstAdmin(
  deps: FirstAdminDeps,
  { username, password }: { readonly username: string; readonly password: string | null },
): Promise<FirstAdmin | null> {
  if (await hasSuperAdmin(deps)) return null;
  const mustChangePassword = password === null;
  const chosen = password ?? randomPassword();
  const user = {
    id: newId(),
    username,
    name: "系统管理员",
    role: "super_admin",
    passwordHash: await deps.passwords.hash(chosen),
  } as const;
  const made = { username, generatedPassword: mustChangePassword ? chosen : null };
  const isMade = await inTransaction(deps, async (em) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.firstAdmin})`.execute(kyselyOf(em));
    if (await hasSuperAdmin({ em })) return false;
    if ((await findByUsername({ em }, username)) !== null) {
      throw new StartError(`ADMIN_USERNAME: ${username} is the name of another user; choose another one`);
    }
    const rest = { email: null, phone: null, isActive: true, admin: null, createdAt: deps.clock.now() };
    await em.insert(UserEntity, { ...user, ...rest, mustChangePassword });
    deps.onFirstAdmin?.(made);
    return true;
  });
  if (!isMade) return null;
  deps.log.info({ username }, "first super admin made");
  return made;
}

async function hasSuperAdmin({ em }: { readonly em: SqlEntityManager }): Promise<boolean> {
  return (await em.count(UserEntity, { role: "super_admin" })) > 0;
}
