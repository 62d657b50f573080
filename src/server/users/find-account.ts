import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { UserTables } from "./entity.ts";

/** What a sign-in must know; never leaves the server. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly isActive: boolean;
}

/** Names are ASCII and looked up without regard to case. */
export async function findAccount(em: SqlEntityManager, username: string): Promise<Account | null> {
  const row = await em
    .getKysely<UserTables>()
    .selectFrom("users")
    .select(["id", "username", "password_hash", "is_active"])
    .where((eb) => eb(eb.fn<string>("lower", ["username"]), "=", username.toLowerCase()))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { id: row.id, username: row.username, passwordHash: row.password_hash, isActive: row.is_active };
}
