import type { AuditSubject } from "../../../shared/audit.ts";
import type { AuditDeps } from "./deps.ts";

/**
 * Says what a call is about, before it is known whether it changes anything: for its entry when it
 * fails or changes nothing. Of a job nothing is noted.
 */
export function noteSubject(
  { auditTrail }: Pick<AuditDeps, "auditTrail">,
  subject: AuditSubject,
): void {
  if (auditTrail !== undefined) auditTrail.subject = subject;
}
