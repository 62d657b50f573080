import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { AppError, invalidField } from "../core/errors.ts";
import type { UserTables } from "./entity.ts";

/**
 * Locks are taken in one order everywhere: super admins by id, then the responsible admin, then the user, then sessions.
 * All of these run inside a transaction.
 */

/** Two super admins who remove each other wait here for one another, and the second finds that it would be the last. */
export async function lockAnotherSuperAdmin(em: SqlEntityManager, userId: string, sentence: string): Promise<void> {
  const superAdmins = await em
    .getKysely<UserTables>()
    .selectFrom("users")
    .select(["id", "is_active"])
    .where("role", "=", "super_admin")
    .orderBy("id")
    .forUpdate()
    .execute();
  if (!superAdmins.some(({ id, is_active }) => is_active && id !== userId)) throw new AppError("CONFLICT", sentence);
}

/** Keeps an admin active until the commit, so that nobody is put under one who is being disabled. */
export async function lockActiveAdmin(em: SqlEntityManager, adminId: string): Promise<void> {
  const admin = await em
    .getKysely<UserTables>()
    .selectFrom("users")
    .select("id")
    .where("id", "=", adminId)
    .where("role", "=", "admin")
    .where("is_active", "=", true)
    .forShare()
    .executeTakeFirst();
  if (admin === undefined) throw invalidField("adminId", "负责管理员不存在或已停用，请重新选择");
}
