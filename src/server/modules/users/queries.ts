import type { FilterQuery, Loaded } from "@mikro-orm/core";
import { type SqlEntityManager, sql } from "@mikro-orm/postgresql";
import type {
  Assignment,
  AssignmentList,
  ListAssignmentsInput,
} from "../../../shared/assignments.ts";
import { paginate } from "../../../shared/page.ts";
import { isClient, isSuperAdmin } from "../../../shared/roles.ts";
import type { ListUsersInput, User, UserList } from "../../../shared/users.ts";
import { containsPattern } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { AssignmentEntity } from "../hosts/entity.ts";
import { UserEntity, type UserRow } from "./entity.ts";

const READ = { populate: ["admin"], disableIdentityMap: true } as const;

/** The users whom the caller manages, newest first. An admin's list has clients only. */
export async function listUsers(
  { em }: Pick<Deps, "em">,
  caller: Caller,
  input: ListUsersInput,
): Promise<UserList> {
  const { role, page, limit } = input;
  const where: FilterQuery<UserRow> = {
    $and: [managedBy(caller), matches(input.search), role ? { role } : {}],
  };
  const order = { orderBy: { id: "desc" }, limit, offset: (page - 1) * limit } as const;
  const [users, total] = await em.findAndCount(UserEntity, where, { ...READ, ...order });
  const ids = users.map(({ id }) => id);
  const counts = await em.countBy(AssignmentEntity, "userId", {
    where: { userId: ids, endedAt: null },
  });
  const listed = users.map((user) => ({ ...presentUser(user), hostCount: counts[user.id] ?? 0 }));
  return { users: listed, pagination: paginate(input, total) };
}

/** A user whom the caller manages, or the caller. Throws NOT_FOUND outside of this scope, as for an id that does not exist. */
export async function getUser(deps: Pick<Deps, "em">, caller: Caller, id: string): Promise<User> {
  const user = await findUser(deps, { $and: [{ id }, visibleTo(caller)] });
  if (user === null) throw userNotFound();
  return user;
}

/** The caller as it is now; UNAUTHENTICATED when it was deleted since the call began. */
export async function currentUser(
  deps: Pick<Deps, "em">,
  { id }: Pick<Caller, "id">,
): Promise<User> {
  const user = await findUser(deps, { id });
  if (user === null) throw new AppError("UNAUTHENTICATED");
  return user;
}

/** What the user has or had, newest first. Throws NOT_FOUND for a user outside of the caller's scope. */
export async function listAssignments(
  { em, clock }: Pick<Deps, "em" | "clock">,
  caller: Caller,
  { id, page, limit }: ListAssignmentsInput,
): Promise<AssignmentList> {
  await getUser({ em }, caller, id);
  const begun = isClient(caller.role) ? { assignedAt: { $lte: clock.now() } } : {};
  const [found, total] = await em.findAndCount(
    AssignmentEntity,
    { userId: id, ...begun },
    {
      populate: ["host"],
      orderBy: { id: "desc" },
      limit,
      offset: (page - 1) * limit,
      disableIdentityMap: true,
    },
  );
  const assignments = found.map((row): Assignment => {
    const { assignedAt, assignedExpireTime, remark = null, assignedBy, assignedByName } = row;
    const { id: hostId, name, ucloudId } = row.host;
    const endedAt = row.endedAt ?? null;
    // A host that was taken back may be named for its next user.
    const shownName = endedAt === null || isSuperAdmin(caller.role) ? name : ucloudId;
    const forAdmins = { assignedBy: { id: assignedBy, name: assignedByName }, remark };
    return {
      id: row.id,
      host: { id: hostId, name: shownName, ucloudId },
      assignedAt,
      assignedExpireTime,
      endedAt,
      ...(isClient(caller.role) ? { assignedBy: null, remark: null } : forAdmins),
    };
  });
  return { assignments, pagination: paginate({ page, limit }, total) };
}

async function findUser(
  { em }: Pick<Deps, "em">,
  where: FilterQuery<UserRow>,
): Promise<User | null> {
  const user = await em.findOne(UserEntity, where, READ);
  return user && presentUser(user);
}

export function findByUsername({ em }: { readonly em: SqlEntityManager }, username: string) {
  const where = { [sql.lower("username")]: username.toLowerCase() };
  return em.findOne(UserEntity, where, {
    fields: ["username", "passwordHash", "isActive"],
    disableIdentityMap: true,
  });
}

export function userNotFound(): AppError {
  return new AppError("NOT_FOUND", "用户不存在");
}

/** MikroORM drops an empty filter inside `$or`, so super admins are handled before it and clients match no id. */
function managedBy({ id, role }: Pick<Caller, "id" | "role">): FilterQuery<UserRow> {
  if (role === "super_admin") return {};
  return role === "admin" ? { admin: id } : { id: [] };
}

function visibleTo({ id, role }: Caller): FilterQuery<UserRow> {
  return role === "super_admin" ? {} : { $or: [managedBy({ id, role }), { id }] };
}

function matches(search = ""): FilterQuery<UserRow> {
  const pattern = { $ilike: containsPattern(search.trim()) };
  return search.trim() === ""
    ? {}
    : { $or: [{ username: pattern }, { name: pattern }, { email: pattern }] };
}

function presentUser(user: Loaded<UserRow, "admin">): User {
  const {
    id,
    username,
    name,
    role,
    email = null,
    phone = null,
    isActive,
    createdAt,
    mustChangePassword,
  } = user;
  const admin = user.admin
    ? { id: user.admin.id, name: user.admin.name, username: user.admin.username }
    : null;
  const adminId = admin?.id ?? null;
  return {
    id,
    username,
    name,
    role,
    email,
    phone,
    isActive,
    adminId,
    admin,
    createdAt,
    mustChangePassword,
  };
}
