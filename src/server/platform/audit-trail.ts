import type { AuditOutcome, AuditSubject } from "../../shared/audit.ts";
import type { CallDeps } from "./trpc/context.ts";

/** What is known of a call for the audit log. Made for each call, and filled in while it runs. */
export interface AuditTrail {
  /** An entry of the call is committed. */
  hasEntries: boolean;
  /** What the call is about, for its entry when it fails or changes nothing. */
  subject: AuditSubject | null;
  /** It is about several rows, whose acts have entries of their own: its own entry names none. */
  isAboutSeveral: boolean;
}

export function newAuditTrail(): AuditTrail {
  return { hasEntries: false, subject: null, isAboutSeveral: false };
}

/** A call of which no act has told. */
export interface CallOutcome {
  /** The procedure. */
  readonly action: string;
  readonly outcome: AuditOutcome;
  /** As it was sent: nobody has checked it, and it may be unreadable. */
  readonly readInput: () => Promise<unknown>;
}

// The audit log belongs to a module, which platform does not know: it is given this function.

/** Writes the entry of a call on its own, outside of any transaction of the call. */
export type RecordCallOutcome = (deps: CallDeps, call: CallOutcome) => Promise<void>;
