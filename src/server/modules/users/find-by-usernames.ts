import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Role } from "../../../shared/roles.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOfTexts } from "../../platform/database/sql.ts";
import { usernameKey } from "./username-key.ts";

/** A user as an import compares it with its row. */
export interface NamedUser {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly role: Role;
  readonly email: string | null;
  readonly phone: string | null;
  readonly isActive: boolean;
  readonly adminId: string | null;
  /** Of the responsible admin. */
  readonly adminUsername: string | null;
}

/** By the username in small letters: names are the same in any case. */
export async function findByUsernames(
  em: SqlEntityManager,
  usernames: readonly string[],
): Promise<Map<string, NamedUser>> {
  const keys = [...new Set(usernames.map(usernameKey))];
  const users = await kyselyOf(em)
    .selectFrom("users as u")
    .leftJoin("users as a", "a.id", "u.admin")
    .select(["u.id", "u.username", "u.name", "u.role", "u.email", "u.phone", "u.isActive"])
    .select(["u.admin as adminId", "a.username as adminUsername"])
    .where((eb) => eb(eb.fn<string>("lower", ["u.username"]), "=", anyOfTexts(keys)))
    .execute();
  return new Map(users.map((user) => [usernameKey(user.username), user]));
}

/** The usernames of active admins, by the name that people call them. Several may share one. */
export async function findAdminUsernames(
  em: SqlEntityManager,
  names: readonly string[],
): Promise<Map<string, string[]>> {
  const admins = await kyselyOf(em)
    .selectFrom("users as u")
    .select(["u.name", "u.username"])
    .where("u.role", "=", "admin")
    .where("u.isActive", "=", true)
    .where("u.name", "=", anyOfTexts([...new Set(names)]))
    .execute();

  const byName = Map.groupBy(admins, ({ name }) => name);
  return new Map(
    [...byName].map(([name, named]) => [name, named.map(({ username }) => username)] as const),
  );
}
