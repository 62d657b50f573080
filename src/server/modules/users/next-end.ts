import type { AliasableExpression, ExpressionBuilder } from "kysely";
import type { Tables } from "../../platform/database/kysely.ts";

type AssignmentExpressions = ExpressionBuilder<Tables & { a: Tables["assignments"] }, "a">;

/**
 * Of assignments `a`, the first end that has not passed; null without one. `now` in Unix seconds.
 */
export function nextEnd(
  eb: AssignmentExpressions,
  now: number,
): AliasableExpression<number | null> {
  return eb.fn.min("a.assignedExpireTime").filterWhere("a.assignedExpireTime", ">=", now);
}
