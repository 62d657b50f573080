import type { TRPCError } from "@trpc/server";
import type { AuditOutcome } from "../../../shared/audit.ts";
import type { ErrorCode } from "../../../shared/error-kinds.ts";
import type { RecordCallOutcome } from "../audit-trail.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import { toAppError } from "../failures.ts";
import type { CallDeps } from "./context.ts";

/** Somebody may not do this, whatever the input. A wrong password is a failure. */
const DENIALS: readonly ErrorCode[] = [
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "SECOND_FACTOR_REQUIRED",
  "TOKEN_SCOPE",
];

interface EndedCall {
  /** The procedure. */
  readonly action: string;
  readonly type: "query" | "mutation" | "subscription";
  /** Null when it succeeded. */
  readonly error: TRPCError | null;
  readonly readInput: () => Promise<unknown>;
}

/**
 * Records what no act records: a call that was refused, a change that failed, and one that changed
 * nothing. What happened cannot be undone, so an entry that cannot be written fails no call: the log
 * says so.
 */
export async function recordOutcome(
  deps: CallDeps,
  record: RecordCallOutcome,
  call: EndedCall,
): Promise<void> {
  const outcome = outcomeOf(deps, call);
  if (outcome === null) return;

  const { action, readInput } = call;
  try {
    await record(deps, { action, outcome, readInput });
  } catch (error) {
    deps.log.error({ err: error, action, outcome }, "an entry of the audit log is missing");
  }
}

/** Null when there is nothing to record. */
function outcomeOf({ auditTrail }: CallDeps, { type, error }: EndedCall): AuditOutcome | null {
  const isMutation = type === "mutation";
  if (error === null) return isMutation && !auditTrail.hasEntries ? "ok" : null;

  // The call has waited in vain for the database, and does not wait for it a second time.
  if (isDatabaseUnavailable(error)) return null;
  const { code } = toAppError(error);
  // A window whose session has ended goes on asking: nobody is refused a permission there.
  if (code === "UNAUTHENTICATED" && !isMutation) return null;
  if (DENIALS.includes(code)) return "denied";
  return isMutation ? "failed" : null;
}
