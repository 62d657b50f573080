import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Tables } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";

type UserBuilder = ExpressionBuilder<Tables & { u: Tables["users"] }, "u">;
type UserViewer = Pick<Caller, "id" | "role">;

/** Users `u` whom the caller manages: a super admin everybody, an admin its clients. */
export function isManagedUser(eb: UserBuilder, { id, role }: UserViewer): Expression<SqlBool> {
  switch (role) {
    case "super_admin":
      return eb.lit(true);
    case "admin":
      return eb("u.admin", "=", id);
    case "client":
      return eb.lit(false);
  }
}

/** Users `u` whom the caller sees: those it manages, and itself. */
export function isVisibleUser(eb: UserBuilder, viewer: UserViewer): Expression<SqlBool> {
  return eb.or([isManagedUser(eb, viewer), eb("u.id", "=", viewer.id)]);
}
