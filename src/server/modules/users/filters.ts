import type { Kysely } from "kysely";
import type { ListUsersInput } from "../../../shared/users.ts";
import type { Tables } from "../../platform/database/kysely.ts";
import { containsPattern } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { hasSecondFactor, isManagedUser, type UserExpressions } from "./access.ts";

type UserFilter = Pick<
  ListUsersInput,
  "role" | "isActive" | "adminId" | "secondFactorEnabled" | "search"
>;

export type FilteredUsers = ReturnType<typeof filterUsers>;

/** The users whom the caller manages and the filter names, with all that a list is sorted by. */
export function filterUsers(db: Kysely<Tables>, caller: Caller, filter: UserFilter) {
  const { role, isActive, adminId, secondFactorEnabled } = filter;
  const search = filter.search?.trim();

  let users = db.selectFrom("users as u").where((eb) => isManagedUser(eb, caller));
  if (role !== undefined) users = users.where("u.role", "=", role);
  if (isActive !== undefined) users = users.where("u.isActive", "=", isActive);
  if (adminId !== undefined) users = users.where("u.admin", "=", adminId);
  if (secondFactorEnabled !== undefined) {
    users = users.where((eb) => eb(hasSecondFactor(eb), "=", secondFactorEnabled));
  }
  if (search) users = users.where((eb) => matchesText(eb, search));

  return users.select(["u.id", "u.name", "u.createdAt"]);
}

function matchesText(eb: UserExpressions, text: string) {
  const pattern = containsPattern(text);
  return eb.or([
    eb("u.username", "ilike", pattern),
    eb("u.name", "ilike", pattern),
    eb("u.email", "ilike", pattern),
    eb("u.phone", "ilike", pattern),
  ]);
}
