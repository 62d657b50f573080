import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { paginate } from "../../shared/page.ts";
import type { Role } from "../../shared/roles.ts";
import type { ListUsersInput, User, UserList } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { containsPattern } from "../database/sql.ts";
import type { UserTables } from "./entity.ts";
import { presentUser } from "./present.ts";

type Condition = (eb: ExpressionBuilder<UserTables, "users">) => Expression<SqlBool>;

/** The users whom the caller manages, newest first. An admin's list holds clients only; itself it finds under `get` or `auth.me`. */
export async function listUsers(deps: Pick<Deps, "em">, caller: Caller, input: ListUsersInput): Promise<UserList> {
  const where: Condition = (eb) => eb.and([managedBy(caller)(eb), hasRole(input.role)(eb), matches(input.search)(eb)]);
  const { total } = await deps.em
    .getKysely<UserTables>()
    .selectFrom("users")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where(where)
    .executeTakeFirstOrThrow();
  const users = await selectUsers(deps.em, where, { limit: input.limit, offset: (input.page - 1) * input.limit });
  return { users, pagination: paginate(input, total) };
}

/** One user whom the caller may see: whom it manages, and itself. */
export async function findVisibleUser(em: SqlEntityManager, caller: Caller, id: string): Promise<User | null> {
  const where: Condition = (eb) =>
    eb.and([eb("id", "=", id), eb.or([managedBy(caller)(eb), eb("id", "=", caller.id)])]);
  const [user] = await selectUsers(em, where, { limit: 1, offset: 0 });
  return user ?? null;
}

/** One user, whoever asks. */
export async function findUser(em: SqlEntityManager, id: string): Promise<User | null> {
  const [user] = await selectUsers(em, (eb) => eb("id", "=", id), { limit: 1, offset: 0 });
  return user ?? null;
}

async function selectUsers(
  em: SqlEntityManager,
  where: Condition,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<User[]> {
  const db = em.getKysely<UserTables>();
  const page = db.selectFrom("users").selectAll().where(where).orderBy("id", "desc").limit(limit).offset(offset);
  const rows = await db
    .selectFrom(page.as("u"))
    .leftJoin("users as a", "a.id", "u.admin_id")
    .select(["u.id", "u.username", "u.name", "u.role", "u.email", "u.phone", "u.is_active", "u.admin_id"])
    .select(["u.created_at", "u.must_change_password", "a.name as admin_name", "a.username as admin_username"])
    .orderBy("u.id", "desc")
    .execute();
  return rows.map(presentUser);
}

function managedBy(caller: Caller): Condition {
  switch (caller.role) {
    case "super_admin":
      return () => sql<boolean>`true`;
    case "admin":
      return (eb) => eb("admin_id", "=", caller.id);
    case "client":
      return () => sql<boolean>`false`;
  }
}

function hasRole(role: Role | undefined): Condition {
  return role === undefined ? () => sql<boolean>`true` : (eb) => eb("role", "=", role);
}

function matches(search: string | undefined): Condition {
  const wanted = search?.trim() ?? "";
  if (wanted === "") return () => sql<boolean>`true`;
  const pattern = containsPattern(wanted);
  return (eb) =>
    eb.or([
      sql<boolean>`lower(${eb.ref("username")}) like lower(${pattern})`,
      sql<boolean>`lower(${eb.ref("name")}) like lower(${pattern})`,
      sql<boolean>`lower(${eb.ref("email")}) like lower(${pattern})`,
    ]);
}
