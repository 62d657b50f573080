import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { AuditSubject } from "../../../shared/audit.ts";
import type { CallOutcome } from "../../platform/audit-trail.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { CallDeps } from "../../platform/trpc/context.ts";
import type { FailureRecorder } from "./failure-recorder.ts";
import { actorColumns, addEntries, subjectColumns } from "./record-audit.ts";

interface RecorderDeps extends CallDeps {
  readonly failures: FailureRecorder;
  /** What a call was about that was refused before it had read its row. */
  readonly findDeniedSubject: (
    em: SqlEntityManager,
    call: { readonly action: string; readonly input: unknown },
  ) => Promise<AuditSubject | null>;
}

/**
 * Writes the entry of a call of which no act has told: it was refused, it failed, or it changed
 * nothing.
 */
export async function recordCallOutcome(
  deps: RecorderDeps,
  { action, outcome, readInput }: CallOutcome,
): Promise<void> {
  let subject = subjectOf(deps, action);
  // Whoever is not signed in must not cause queries.
  if (subject === null && outcome === "denied" && deps.actor.type === "user") {
    const input = await readInput().catch(() => null);
    subject = await deps.findDeniedSubject(deps.em, { action, input });
  }

  if (outcome !== "ok") {
    const { actor, failures } = deps;
    await failures.record({
      ...actorColumns(actor),
      ...subjectColumns(subject),
      action,
      outcome,
    });
    return;
  }

  await inTransaction({ ...deps, em: deps.em.fork() }, (em) =>
    addEntries({ ...deps, em }, [{ action, subject }], deps.clock.now()),
  );
}

/** Whoever is signed in and calls these acts on the own account. */
const OWN_ROUTERS = ["auth", "notices"];

function subjectOf({ actor, auditTrail }: CallDeps, action: string): AuditSubject | null {
  if (auditTrail.subject !== null) return auditTrail.subject;
  const [name = ""] = action.split(".");
  if (actor.type !== "user" || !OWN_ROUTERS.includes(name)) return null;
  return { type: "user", id: actor.id, label: actor.name };
}
