import { v7 as newId } from "uuid";
import type { AuditAction, AuditOutcome, AuditSubject } from "../../../shared/audit.ts";
import type { Actor } from "../../platform/actor.ts";
import { afterCommit } from "../../platform/database/after-commit.ts";
import type { AuditDeps } from "./deps.ts";
import { AuditEntryEntity } from "./entity.ts";
import type { FieldChange } from "./field-changes.ts";

const USER_AGENT_MAX = 200;

/** What the actor has done, or has failed to do. */
interface NewEntry {
  readonly action: string;
  /** Absent or null for what concerns no single row. */
  readonly subject?: AuditSubject | null;
  /** From the values that were stored before to those that are now (`fieldChanges`). */
  readonly changes?: readonly FieldChange[];
  /** Absent: it was done. */
  readonly outcome?: AuditOutcome;
}

export interface AuditRecord extends NewEntry {
  readonly action: AuditAction;
}

/**
 * Adds an entry to the audit log. Every act calls this in its transaction, after it has written its
 * rows and before its events: the entry is there if and only if the change is. The line of the log
 * comes after the commit, for the same reason. `at` in Unix seconds.
 */
export async function recordAudit(deps: AuditDeps, record: AuditRecord, at: number): Promise<void> {
  await addEntries(deps, [record], at);
}

/** The same for several acts of one transaction, each with its entry. */
export async function recordAudits(
  deps: AuditDeps,
  records: readonly AuditRecord[],
  at: number,
): Promise<void> {
  await addEntries(deps, records, at);
}

/** The same for any procedure. */
export async function addEntries(
  { em, ...deps }: AuditDeps,
  entries: readonly NewEntry[],
  at: number,
): Promise<void> {
  if (entries.length === 0) return;

  const actor = actorColumns(deps.actor);
  const rows = entries.map(({ action, subject = null, changes = [], outcome = "ok" }) => ({
    id: newId({ msecs: at * 1_000 }),
    at,
    ...actor,
    action,
    ...subjectColumns(subject),
    outcome,
    changes: [...changes],
    count: 1,
  }));
  await em.insertMany(AuditEntryEntity, rows);

  afterCommit(em, () => {
    for (const row of rows) deps.log.info({ audit: row }, "audit");
    if (deps.auditTrail !== undefined) deps.auditTrail.hasEntries = true;
  });
}

export function actorColumns(actor: Actor) {
  const { ip, userAgent, requestId } = actor;
  const token = actor.type === "user" ? actor.token : null;
  return {
    actorType: token === null ? actor.type : ("token" as const),
    actorId: actor.id,
    actorName: actor.name,
    tokenId: token?.id ?? null,
    tokenName: token?.name ?? null,
    ip,
    userAgent: userAgent?.slice(0, USER_AGENT_MAX).toWellFormed() ?? null,
    requestId,
  };
}

export function subjectColumns(subject: AuditSubject | null) {
  return {
    subjectType: subject?.type ?? null,
    subjectId: subject?.id ?? null,
    subjectLabel: subject?.label ?? null,
  };
}
