import type { AliasableExpression, Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Tables } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";

/** Builds expressions for a query that has the users as `u`. */
export type UserExpressions = ExpressionBuilder<Tables & { u: Tables["users"] }, "u">;

type UserViewer = Pick<Caller, "id" | "role">;

/** Users `u` for whom the admin is responsible: it sees them, their hosts and their renewals. */
export function isClientOf(eb: UserExpressions, adminId: string): Expression<SqlBool> {
  return eb("u.admin", "=", adminId);
}

/** Users `u` whom the caller manages: a super admin everybody, an admin its clients. */
export function isManagedUser(eb: UserExpressions, { id, role }: UserViewer): Expression<SqlBool> {
  switch (role) {
    case "super_admin":
      return eb.lit(true);
    case "admin":
      return isClientOf(eb, id);
    case "client":
      return eb.lit(false);
  }
}

/** Users `u` whom the caller sees: those it manages, and itself. */
export function isVisibleUser(eb: UserExpressions, viewer: UserViewer): Expression<SqlBool> {
  return eb.or([isManagedUser(eb, viewer), eb("u.id", "=", viewer.id)]);
}

/** Users `u` whose second factor is on. */
export function hasSecondFactor(eb: UserExpressions): AliasableExpression<boolean> {
  return eb
    .exists(
      eb
        .selectFrom("second_factors as f")
        .select("f.id")
        .whereRef("f.user", "=", "u.id")
        .where("f.confirmedAt", "is not", null),
    )
    .$castTo<boolean>();
}

/** Users `u` whose role must have a second factor, and who have none. */
export function lacksSecondFactor(eb: UserExpressions): AliasableExpression<boolean> {
  const isRequired = eb.exists(
    eb
      .selectFrom("settings as c")
      .select("c.id")
      .where((of) => of("u.role", "=", of.fn.any("c.secondFactorRequiredRoles"))),
  );
  return eb.and([isRequired, eb.not(hasSecondFactor(eb))]).$castTo<boolean>();
}
