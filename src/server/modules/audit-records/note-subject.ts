import type { AuditSubject } from "../../../shared/audit.ts";
import type { AuditDeps } from "./deps.ts";

/**
 * Says what a call is about, before it is known whether it changes anything: for its entry when it
 * fails or changes nothing. Every act on a single row calls this as soon as it has read the row, and
 * before it refuses anything. Of a job, and of a row among several, nothing is noted.
 */
export function noteSubject(
  { auditTrail }: Pick<AuditDeps, "auditTrail">,
  subject: AuditSubject,
): void {
  if (auditTrail === undefined || auditTrail.isAboutSeveral) return;
  auditTrail.subject = subject;
}

/** Says that a call is about several rows, before it acts on the first of them. */
export function noteSeveral({ auditTrail }: Pick<AuditDeps, "auditTrail">): void {
  if (auditTrail !== undefined) auditTrail.isAboutSeveral = true;
}
