import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { AuditAction } from "../../../shared/audit.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import type { Tables } from "../../platform/database/kysely.ts";

// Only super admins read the whole audit log: the permission `audit:read` decides. Everybody reads
// what was done with the own account.

/** Builds expressions for a query that has the entries as `e`. */
export type EntryExpressions = ExpressionBuilder<Tables & { e: Tables["audit_entries"] }, "e">;

const ACTIVITY_SECONDS = 90 * DAY_SECONDS;
/** What a user is told of its own account. */
const ACTIVITY_ACTIONS: readonly AuditAction[] = [
  "auth.login",
  "auth.secondFactor",
  "auth.changePassword",
  "auth.setUpTotp",
  "auth.confirmTotp",
  "auth.renewRecoveryCodes",
  "auth.disableTotp",
  "auth.createToken",
  "auth.revokeToken",
  "users.resetPassword",
  "users.resetSecondFactor",
  "users.revokeToken",
  "command.reset-second-factor",
];

/**
 * Sign-ins of this user, failed ones too, and changes of how it signs in, of the last 90 days. The
 * account is the subject of each, whoever acts.
 */
export function isOwnActivity(
  eb: EntryExpressions,
  { userId, now }: { readonly userId: string; readonly now: number },
): Expression<SqlBool> {
  return eb.and([
    eb("e.subjectId", "=", userId),
    eb("e.action", "in", ACTIVITY_ACTIONS),
    eb("e.at", ">", now - ACTIVITY_SECONDS),
  ]);
}
