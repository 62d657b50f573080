import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { IdInput } from "../../../shared/ids.ts";
import { paginate } from "../../../shared/page.ts";
import type { ListUsersInput, User, UserList } from "../../../shared/users.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { containsPattern } from "../../platform/database/sql.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { isManagedUser, isVisibleUser, type UserExpressions } from "./access.ts";
import type { UsersDeps } from "./deps.ts";

/** The users whom the caller manages, newest first. An admin's list has clients only. */
export async function listUsers(
  { em }: UsersDeps,
  caller: Caller,
  input: ListUsersInput,
): Promise<UserList> {
  const { role, search = "", page, limit } = input;
  const text = search.trim();
  let matching = kyselyOf(em)
    .selectFrom("users as u")
    .where((eb) => isManagedUser(eb, caller));
  if (role !== undefined) matching = matching.where("u.role", "=", role);
  if (text !== "") matching = matching.where((eb) => matchesText(eb, text));

  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();

  const pageIds = matching
    .select("u.id")
    .orderBy("u.id", "desc")
    .limit(limit)
    .offset((page - 1) * limit);
  const users = await selectUsers(em)
    .select((eb) => currentAssignments(eb).as("hostCount"))
    .where("u.id", "in", pageIds)
    .orderBy("u.id", "desc")
    .execute();

  const listed = users.map(({ hostCount, ...user }) => ({
    ...presentUser(user),
    hostCount: hostCount ?? 0,
  }));
  return { users: listed, pagination: paginate(input, total) };
}

/**
 * A user whom the caller manages, or the caller. Throws NOT_FOUND outside of this scope, as for an
 * id that does not exist.
 */
export async function getUser({ em }: UsersDeps, caller: Caller, { id }: IdInput): Promise<User> {
  const user = await selectUsers(em)
    .where("u.id", "=", id)
    .where((eb) => isVisibleUser(eb, caller))
    .executeTakeFirst();
  if (user === undefined) throw userNotFound();
  return presentUser(user);
}

/** The caller as it is now; UNAUTHENTICATED when it was deleted since the call began. */
export async function currentUser({ em }: UsersDeps, { id }: Pick<Caller, "id">): Promise<User> {
  const user = await selectUsers(em).where("u.id", "=", id).executeTakeFirst();
  if (user === undefined) throw new AppError("UNAUTHENTICATED");
  return presentUser(user);
}

/** For a sign-in: with the hash of the password. Names are the same in any case. */
export async function findByUsername({ em }: { readonly em: SqlEntityManager }, username: string) {
  const user = await kyselyOf(em)
    .selectFrom("users as u")
    .select(["u.id", "u.username", "u.passwordHash", "u.isActive"])
    .where((eb) => eb(eb.fn<string>("lower", ["u.username"]), "=", username.toLowerCase()))
    .executeTakeFirst();
  return user ?? null;
}

export function userNotFound(): AppError {
  return new AppError("NOT_FOUND", "用户不存在");
}

type FoundUser = Awaited<ReturnType<ReturnType<typeof selectUsers>["executeTakeFirstOrThrow"]>>;

/** Users `u` with their responsible admin. */
function selectUsers(em: SqlEntityManager) {
  return kyselyOf(em)
    .selectFrom("users as u")
    .select([
      "u.id",
      "u.username",
      "u.name",
      "u.role",
      "u.email",
      "u.phone",
      "u.isActive",
      "u.createdAt",
      "u.mustChangePassword",
    ])
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom("users as m")
          .select(["m.id", "m.name", "m.username"])
          .whereRef("m.id", "=", "u.admin"),
      ).as("admin"),
    );
}

function currentAssignments(eb: UserExpressions) {
  return eb
    .selectFrom("assignments as a")
    .select((of) => of.fn.countAll<number>().as("count"))
    .whereRef("a.userId", "=", "u.id")
    .where("a.endedAt", "is", null);
}

function matchesText(eb: UserExpressions, text: string) {
  const pattern = containsPattern(text);
  return eb.or([
    eb("u.username", "ilike", pattern),
    eb("u.name", "ilike", pattern),
    eb("u.email", "ilike", pattern),
  ]);
}

/** Everybody who sees a user sees the same of it. */
function presentUser(user: FoundUser): User {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    role: user.role,
    email: user.email,
    phone: user.phone,
    isActive: user.isActive,
    adminId: user.admin?.id ?? null,
    admin: user.admin,
    createdAt: user.createdAt,
    mustChangePassword: user.mustChangePassword,
  };
}
