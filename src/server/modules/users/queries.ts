import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { IdInput } from "../../../shared/ids.ts";
import { paginate } from "../../../shared/page.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import type {
  CurrentUser,
  ExportUsersInput,
  ListedUser,
  ListUsersInput,
  User,
  UserList,
} from "../../../shared/users.ts";
import { positionIn } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { hasSecondFactor, isManagedUser, isVisibleUser } from "./access.ts";
import type { ListUsersDeps, UsersDeps } from "./deps.ts";
import { filterUsers } from "./filters.ts";
import { nextEnd } from "./next-end.ts";
import { findPage } from "./page.ts";

/**
 * The users whom the caller manages: the ids of the page first, and then their rows. An admin's
 * list has clients only.
 */
export async function listUsers(
  { em, clock }: ListUsersDeps,
  caller: Caller,
  input: ListUsersInput,
): Promise<UserList> {
  assertOwnFilters(caller, input);

  const now = clock.now();
  const matching = filterUsers(kyselyOf(em), caller, input);
  const { ids, total } = await findPage(em, matching, { ...input, now });
  const users = await readListed(em, caller, { ids, now });
  return { users, pagination: paginate(input, total) };
}

/** Filters by what only super admins see are theirs alone. */
export function assertOwnFilters({ role }: Caller, input: ExportUsersInput): void {
  if (isSuperAdmin(role)) return;

  for (const field of ["adminId", "secondFactorEnabled"] as const) {
    if (input[field] !== undefined) throw invalidField(field, `不支持的参数 ${field}`);
  }
}

/** Who is told of what only super admins see. */
export async function findActiveSuperAdmins(
  em: SqlEntityManager,
): Promise<{ readonly id: string; readonly name: string }[]> {
  return await kyselyOf(em)
    .selectFrom("users")
    .select(["id", "name"])
    .where("role", "=", "super_admin")
    .where("isActive", "=", true)
    .orderBy("id")
    .execute();
}

export async function findActiveSuperAdminIds(em: SqlEntityManager): Promise<string[]> {
  const superAdmins = await findActiveSuperAdmins(em);
  return superAdmins.map(({ id }) => id);
}

/** In the order of the ids. Users whom the caller does not manage are left out. */
export async function readListed(
  em: SqlEntityManager,
  caller: Caller,
  { ids, now }: { readonly ids: readonly string[]; readonly now: number },
): Promise<ListedUser[]> {
  if (ids.length === 0) return [];

  const users = await selectUsers(em)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom("assignments as a")
          .select((inner) => [
            inner.fn.countAll<number>().as("hostCount"),
            nextEnd(inner, now).as("nextEnd"),
          ])
          .whereRef("a.userId", "=", "u.id")
          .where("a.endedAt", "is", null)
          .as("held"),
      (join) => join.onTrue(),
    )
    .select(["held.hostCount", "held.nextEnd"])
    .where("u.id", "=", anyOf(ids))
    .where((eb) => isManagedUser(eb, caller))
    .orderBy((eb) => positionIn(ids, eb.ref("u.id")))
    .execute();

  return users.map(({ hostCount, nextEnd, ...user }) => ({
    ...presentUser(user, caller),
    hostCount: hostCount ?? 0,
    nextEnd,
  }));
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
  return presentUser(user, caller);
}

/** The user who has just signed in; UNAUTHENTICATED when it was deleted meanwhile. */
export async function signedInUser({ em }: UsersDeps, { id }: IdInput): Promise<User> {
  const user = await readCaller(em, id);
  return presentSelf(user);
}

/**
 * The caller as it is now, with what it prefers and the contact of its admin, whom a client is told
 * to call; UNAUTHENTICATED when it was deleted since the call began.
 */
export async function currentUser(
  { em }: UsersDeps,
  { id, lacksSecondFactor }: Pick<Caller, "id" | "lacksSecondFactor">,
): Promise<CurrentUser> {
  const user = await readCaller(em, id);
  return {
    ...presentSelf(user),
    admin: user.admin,
    preferences: { email: user.emailNotices },
    mustSetUpSecondFactor: lacksSecondFactor,
  };
}

async function readCaller(em: SqlEntityManager, id: string): Promise<FoundUser> {
  const user = await selectUsers(em).where("u.id", "=", id).executeTakeFirst();
  if (user === undefined) throw new AppError("UNAUTHENTICATED");
  return user;
}

/** For a sign-in: with the hash of the password. Names are the same in any case. */
export async function findByUsername({ em }: { readonly em: SqlEntityManager }, username: string) {
  const user = await kyselyOf(em)
    .selectFrom("users as u")
    .select(["u.id", "u.username", "u.name", "u.passwordHash", "u.isActive"])
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
      "u.emailNotices",
      "u.note",
    ])
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom("users as m")
          .select(["m.id", "m.name", "m.username", "m.email", "m.phone"])
          .whereRef("m.id", "=", "u.admin"),
      ).as("admin"),
    )
    .select((eb) => hasSecondFactor(eb).as("secondFactorEnabled"));
}

/** What a session is told of its own user: not the note, a super admin's neither. */
function presentSelf(user: FoundUser): User {
  return { ...presentUser(user, user), note: null };
}

/**
 * Everybody who sees a user sees the same of it, with these exceptions: what it prefers and how to
 * reach its admin is told to the user alone, whether it has a second factor to the user and to
 * super admins, and the note to super admins.
 */
function presentUser({ admin, ...user }: FoundUser, viewer: Pick<Caller, "id" | "role">): User {
  const seesSecondFactor = isSuperAdmin(viewer.role) || viewer.id === user.id;
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    role: user.role,
    email: user.email,
    phone: user.phone,
    isActive: user.isActive,
    adminId: admin?.id ?? null,
    admin: admin && { id: admin.id, name: admin.name, username: admin.username },
    createdAt: user.createdAt,
    mustChangePassword: user.mustChangePassword,
    secondFactorEnabled: seesSecondFactor ? user.secondFactorEnabled : null,
    note: isSuperAdmin(viewer.role) ? user.note : null,
  };
}
